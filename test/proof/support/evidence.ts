import type { ChannelHistory } from '../../crash/support/history-checker.js';

const FAULTS_SHOWN = 5;
const ENTRIES_SHOWN = 12;
const ENTRY_LENGTH = 240;
const NAMED = /[0-9a-f]{8}-[0-9a-f-]{27}|"[^"]+"/g;

/** The first broken promises, each with the entries of the journal that it is about: the least history that shows it. */
export function evidence(faults: readonly string[], histories: ReadonlyMap<string, ChannelHistory>): string {
  const shown = faults.slice(0, FAULTS_SHOWN).map((fault) => {
    const named = [...fault.slice(0, 1000).matchAll(NAMED)]
      .map(([name]) => name.replaceAll('"', ''))
      .filter((name) => !histories.has(name));
    const entries = [...histories.values()].flat().filter(({ data }) => {
      const text = JSON.stringify(data);
      return named.some((name) => text.includes(name));
    });
    const lines = entries.slice(0, ENTRIES_SHOWN).map(({ event, data }) => `    ${event} ${JSON.stringify(data).slice(0, ENTRY_LENGTH)}`);
    return [fault.slice(0, 2000), ...lines].join('\n');
  });
  const more = faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} more`] : [];
  return [...shown, ...more].join('\n');
}
