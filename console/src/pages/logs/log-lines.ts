// Lines of the server's log: what matches, and how what was loaded and what was heard become one list.
import type { LogEntryView } from 'parley-client';
import type { Tone } from '../../ui/controls.js';

export const LEVELS = { fatal: 60, error: 50, warn: 40, info: 30, log: 29, progress: 28, success: 27, debug: 20, trace: 10 } as const;
export type LevelName = keyof typeof LEVELS;
/** Lowest levels that can be chosen. */
export const LOWEST: readonly LevelName[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

export interface LogFilter {
  readonly minLevel?: LevelName | undefined;
  readonly agentId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly search?: string | undefined;
}

export interface Line {
  /** Of this tab. */
  readonly key: string;
  /** The entry as JSON. */
  readonly text: string;
  readonly entry: LogEntryView;
}

let lastKey = 0;

export function lineOf(entry: LogEntryView): Line {
  lastKey += 1;
  return { key: String(lastKey), text: JSON.stringify(entry), entry };
}

/** As the server filters, for lines that come by the socket. */
export function matches({ entry, text }: Line, { minLevel, agentId, requestId, search }: LogFilter): boolean {
  return (
    (minLevel === undefined || entry.level >= LEVELS[minLevel]) &&
    (agentId === undefined || entry.agentId === agentId) &&
    (requestId === undefined || entry.requestId === requestId) &&
    (search === undefined || text.toLowerCase().includes(search.toLowerCase()))
  );
}

/**
 * Two parts of the log as one, oldest first. Lines have no id: a line of both parts is the same entry as often as the part has it that
 * has it more often.
 */
export function merge(known: readonly Line[], more: readonly Line[]): readonly Line[] {
  const counts = new Map<string, number>();
  for (const { text } of known) counts.set(text, (counts.get(text) ?? 0) + 1);
  const added = more.filter(({ text }) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
  if (added.length === 0) return known;
  return [...known, ...added].sort((a, b) => a.entry.time - b.entry.time);
}

export function levelName(level: number): LevelName {
  return (Object.keys(LEVELS) as LevelName[]).find((name) => level >= LEVELS[name]) ?? 'trace';
}

export function levelTone(level: number): Tone | undefined {
  if (level >= LEVELS.error) return 'bad';
  return level >= LEVELS.warn ? 'warn' : undefined;
}

/** Fields that a row shows by itself, or that say nothing at a glance. */
const SHOWN = new Set(['level', 'time', 'msg', 'part', 'agentId', 'agentName', 'requestId']);

/** The further fields of a line in short: `method=GET path=/api/agents`. */
export function fieldsOf(entry: LogEntryView): string {
  const fields = Object.entries(entry).filter(([name, value]) => !SHOWN.has(name) && value !== null && typeof value !== 'object');
  return fields.map(([name, value]) => `${name}=${String(value)}`).join(' ');
}
