import type { ListedProblem } from '../../support/checked-problems.mjs';

/** What spoilt models, cut connections and pauses of a server cause: turns and deliveries that failed. */
const CAUSED = new Set(['turns', 'model', 'deliveries']);
/** Faults that measure the machine on which the servers run. */
const OF_THE_MACHINE = new Set(['stall', 'memory']);

/** Injected faults after which the database cannot be used for a while. */
const OUTAGES = ['database', 'crash', 'disk'];

/** @returns the problems of servers that no injected fault explains, a line each */
export function uncaused(problems: readonly ListedProblem[], injected: Readonly<Record<string, number>>): string[] {
  const isExplained = ({ kind, subject, message }: ListedProblem): boolean => {
    if (kind !== 'fault') return CAUSED.has(kind);
    return OF_THE_MACHINE.has(subject) || (message.startsWith('storage: ') && OUTAGES.some((name) => injected[name] !== undefined));
  };
  return problems
    .filter((problem) => !isExplained(problem))
    .map(({ kind, subject, message, count }) => `a server has a problem: ${kind} ${subject}: ${message} (${count} times)`);
}
