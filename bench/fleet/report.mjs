// The rows of the bench `fleet`, and the statements behind them.
import { median } from '../support/statistics.mjs';
import { shown } from '../support/table.mjs';

const LISTED = 25;
const LISTED_CHARACTERS = 110;
// Conversations that can be written at once where each has a lock of its own.
const LOCKS = 256;

/** "At most" is written as "below" with a margin for the last digit. */
export const FLOORS = {
  statements: { below: 8.05 },
  trips: { below: 5.05 },
  rollbacks: { below: 0.05 },
  processor: { below: 1.15 },
  rate: { atLeast: 39.2 },
  ratio: { atLeast: 1 },
  held: { below: 1.5 },
  cap: { atLeast: 5000 },
  // One more sweep may fall into the time of either; two processes that sweep make it 2.
  sweeps: { below: 2 },
};

export function rowsOf(conditions, fleets, floors) {
  const rows = conditions.flatMap((condition) => rowsOfCondition(condition, floors));
  const sticky = (size, apart = false) =>
    conditions.find(({ fleet, spread, callers }) => fleet.size === size && fleet.apart === apart && !spread && callers > 1);
  const [one, four, apart] = [sticky(1), sticky(4), sticky(4, true)];
  const all = conditions.filter(({ fleet, callers }) => fleet.size === 4 && !fleet.apart && callers > 1);
  for (const each of all) {
    for (const [other, name] of [
      [one, '1'],
      [apart, '4 apart'],
    ]) {
      const label = `4 processes / ${name}${each.spread ? ', spread' : ''}`;
      rows.push({ name: `fleet, turns/s, ${label}`, floor: floors.ratio, measured: middle(each, rateOf) / middle(other, rateOf) });
      rows.push({
        name: `fleet, processor per turn, ${label}`,
        floor: floors.processor,
        measured: middle(each, processorOf) / middle(other, processorOf),
      });
    }
  }
  for (const each of fleets) rows.push(...rowsOfFleet(each, floors));
  const [first, last] = [one.fleet.idle.sweeps, four.fleet.idle.sweeps];
  rows.push({
    name: 'fleet, sweeps while idle, 4 processes / 1',
    floor: floors.sweeps,
    measured: last === first ? 1 : last / Math.max(first, 1),
    more: `${shown(last)} against ${shown(first)} DELETE a minute`,
  });
  return { rows, details: [...new Set([one, four])].map(listed).join('\n\n') };
}

function rowsOfCondition(condition, floors) {
  const { fleet, callers, spread, rounds, locks } = condition;
  const processes = `${fleet.size} process${fleet.size === 1 ? '' : 'es'}${fleet.apart ? ' apart' : ''}`;
  const label = `${processes}${spread ? ', spread' : ''}${callers === 1 ? ', 1 caller' : ''}`;
  const rate = {
    name: `fleet, turns/s, ${label}`,
    ...(fleet.size === 4 && !fleet.apart && callers > 1 ? { floor: floors.rate } : {}),
    measured: middle(condition, rateOf),
    more: `p50 ${shown(middle(condition, ({ p50 }) => p50))} ms, p99 ${shown(middle(condition, ({ p99 }) => p99))} ms; rounds ${rounds.map((each) => shown(rateOf(each))).join(', ')}`,
  };
  const processor = { name: `fleet, processor per turn, ${label}`, measured: middle(condition, processorOf), unit: ' ms' };
  if (fleet.apart) return [rate, processor];
  const rows = [
    rate,
    {
      name: `fleet, statements per turn, ${label}`,
      floor: floors.statements,
      measured: middle(condition, (each) => callsOf(each, () => true)),
      more: `${shown(middle(condition, (each) => callsOf(each, ({ toplevel }) => !toplevel)))} nested`,
    },
    {
      name: `fleet, round trips per turn, ${label}`,
      floor: floors.trips,
      measured: middle(condition, ({ trips, count }) => trips / count),
      more: `${shown(middle(condition, ({ delayMs }) => delayMs))} ms of network each`,
    },
    {
      name: `fleet, commits per turn, ${label}`,
      measured: middle(condition, (each) => callsOf(each, named('COMMIT|END'))),
      more: `${shown(middle(condition, (each) => callsOf(each, named('ROLLBACK|ABORT'))))} ROLLBACK`,
    },
    processor,
  ];
  return locks === undefined ? rows : [...rows, ...rowsOfLocks(locks, label, floors)];
}

function rowsOfLocks({ samples, waiting, flush, held, by, oneLock, count, seconds }, label, floors) {
  const perTurn = (mean) => (mean * seconds * 1000) / count;
  const doing = Object.entries(by)
    .sort(([, a], [, b]) => b - a)
    .map(([what, mean]) => `${what} ${shown(perTurn(mean))}`)
    .join(', ');
  const locked = perTurn(held + flush);
  const locks = oneLock ? 1 : LOCKS;
  return [
    {
      name: `fleet, lock held per turn without flush, ${label}`,
      floor: floors.held,
      measured: perTurn(held),
      unit: ' ms',
      more: `flush ${shown(perTurn(flush))}, waiting ${shown(perTurn(waiting))}; ${doing}; ${samples} samples, ${shown(count / seconds)} turns/s`,
    },
    {
      name: `fleet, most turns/s that the locks allow, ${label}`,
      floor: floors.cap,
      measured: (locks * 1000) / locked,
      more: `${locks} x 1000 ms / ${shown(locked)} ms held and flushed`,
    },
  ];
}

function rowsOfFleet({ size, before, after, turns, warnings }, floors) {
  const processes = `${size} process${size === 1 ? '' : 'es'}`;
  return [
    {
      name: `fleet, rollbacks per turn, ${processes}`,
      floor: floors.rollbacks,
      measured: (after.rollbacks - before.rollbacks) / turns,
      more: `${turns} turns; ${shown((after.commits - before.commits) / turns)} transactions each, those of reads and of idle time too`,
    },
    {
      name: `fleet, announcements of a warning, ${processes}`,
      floor: { below: 1.05 },
      measured: warnings.most,
      more: `${warnings.announced} of ${warnings.sessions} sessions announced`,
    },
  ];
}

function middle({ rounds }, read) {
  return median(rounds.map(read));
}

function rateOf({ perSecond }) {
  return perSecond;
}

function processorOf({ processorMs, count }) {
  return processorMs / count;
}

function callsOf({ statements, count }, wanted) {
  return statements.filter(wanted).reduce((sum, { calls }) => sum + calls, 0) / count;
}

function named(words) {
  const pattern = new RegExp(`^\\s*(${words})\\b(?!\\s+TO\\b)`, 'i');
  return ({ query }) => pattern.test(query);
}

function listed({ fleet, rounds }) {
  const { statements, count } = rounds.at(-1);
  const lines = statements.slice(0, LISTED).map(({ calls, toplevel, query }) => {
    const text = query.replaceAll(/\s+/g, ' ').slice(0, LISTED_CHARACTERS);
    return `${shown(calls / count).padStart(6)}  ${toplevel ? '' : '(nested) '}${text}`;
  });
  return [`Statements per turn, ${fleet.size} process${fleet.size === 1 ? '' : 'es'}, ${count} turns`, ...lines].join('\n');
}
