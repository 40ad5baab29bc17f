// A fleet of 100 processes, simulated with measured costs, checked against the measurement and against arithmetic.
import { percentile } from './support/statistics.mjs';
import { arithmeticOf } from './scale/arithmetic.mjs';
import { COSTS, MEASURED } from './scale/costs.mjs';
import { FleetModel } from './scale/fleet-model.mjs';
import { measure } from './scale/measure.mjs';
import { LISTENERS, measuredScenario, SIZES } from './scale/scenarios.mjs';
import { short, tableText } from './scale/table.mjs';

const SEED = 1;
const TURNS = 2500;
/** Messages per second of the fleets that a smoke test simulates. */
const SMALL = 100;
/** A resource that is used more than this is taken for full: waiting grows without bound soon after. */
const FULL = 0.7;
// The poll and the storing of texts return.
const LEAST_MS = 1000;
const MOST_PROCESSES = 10_000;
const PERCENT = 100;
const FIGURES = { perSecond: 'turns/s', statements: 'statements per turn', trips: 'round trips per turn' };

export async function scale(workshop) {
  if (workshop.options.measure) {
    // At once, because a part that is done is of use also when a later one fails.
    await measure(workshop, (part) => process.stdout.write(`${JSON.stringify(part)}\n`));
    return [];
  }
  const turns = workshop.smoke ? 40 : TURNS;
  const fleets = [...SIZES, ...LISTENERS].filter(({ rate }) => !workshop.smoke || rate <= SMALL);
  const compared = MEASURED.conditions.map((condition) => comparison(condition, turns));
  const scenarios = fleets.map((scenario) => simulated(scenario, turns));
  workshop.report(`Measured and predicted\n\n${comparedTable(compared)}`);
  workshop.report(`Simulated\n\n${simulatedTable(scenarios)}`);
  workshop.report(`Use of the first limits at the rate asked for\n\n${limitsTable(scenarios)}`);
  workshop.report(`Simulation / arithmetic\n\n${arithmeticTable(scenarios)}`);
  return [
    ...compared.flatMap(({ label, measured, predicted }) =>
      ['perSecond', 'statements', 'trips']
        .filter((figure) => measured[figure])
        .map((figure) => ({
          name: `scale, ${FIGURES[figure]} predicted / measured, ${label}`,
          measured: predicted[figure] / measured[figure],
          more: `${short(predicted[figure])} against ${short(measured[figure])}`,
        })),
    ),
    {
      name: 'scale, simulation / arithmetic, farthest',
      measured: farthest(scenarios.flatMap(({ ratios }) => Object.values(ratios ?? {}))),
      more: `${scenarios.filter(({ ratios }) => ratios).length} fleets`,
    },
  ];
}

function comparison(condition, turns) {
  const scenario = measuredScenario(condition, MEASURED.cores);
  const slower = ['sessionRead', 'messageUnit', 'contextRead', 'replyUnit'].map((name) => [
    name,
    { ...COSTS[name], processorMs: condition.databaseFactor * COSTS[name].processorMs },
  ]);
  const costs = { ...COSTS, ...Object.fromEntries(slower), turn: { ...COSTS.turn, ...condition.turn } };
  const ms = 10 * turns;
  const model = new FleetModel(scenario, costs, SEED).run(ms / 10, ms);
  const count = model.counts.turns;
  return {
    label: condition.label,
    measured: condition,
    predicted: {
      perSecond: (1000 * count) / ms,
      statements: model.counts.statements / count,
      trips: model.counts.trips / count,
      p50: percentile(sorted(model.latencies), 0.5),
      p99: percentile(sorted(model.latencies), 0.99),
    },
  };
}

function simulated(scenario, turns) {
  const asked = arithmeticOf(scenario, COSTS);
  const carried = rateThatFits(scenario);
  if (carried < 1) return { scenario, asked, carried };
  const rate = Math.min(scenario.rate, carried);
  const at = { ...scenario, rate };
  const ms = Math.max(LEAST_MS, Math.min(10_000, (turns * 1000) / rate));
  const warmUp = Math.min(1000, ms) + 1.2 * scenario.streamMs;
  const model = new FleetModel(at, COSTS, SEED).run(warmUp, ms);
  const expected = arithmeticOf(at, COSTS);
  const seconds = ms / 1000;
  const rateOf = (name) => (model.counts[name] ?? 0) / seconds;
  const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const open = model.databases.reduce((sum, { openArea }) => sum + openArea, 0) / ms;
  const samples = sorted(model.databases.flatMap((database) => database.samples));
  const times = sorted(model.latencies);
  const found = {
    statements: rateOf('statements'),
    trips: rateOf('trips'),
    writes: rateOf('writes'),
    walBytes: rateOf('walBytes'),
    open,
    openP99: percentile(samples, 0.99),
    lockWaits: (1000 * rateOf('lockWaits')) / rateOf('writes'),
    received: mean(model.processes.map(({ received }) => received)) / seconds,
    reads: rateOf('polls') / scenario.processes,
    cores: model.databases.reduce((sum, { cores }) => sum + cores.inUse, 0),
    loop: mean(model.processes.map(({ loop }) => loop.inUse)),
    pool: mean(model.processes.flatMap(({ pools }) => pools.map((pool) => pool.inUse))),
    running: model.processes.reduce((sum, { slots }) => sum + slots.inUse, 0),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    flushes: model.databases.reduce((sum, { log }) => sum + log.flushes, 0) / seconds,
  };
  // Little's law: turns under way = rate x time.
  const littles = model.counts.ranMs / ms / found.running;
  const ratios = {
    statements: found.statements / expected.statements,
    trips: found.trips / expected.trips,
    writes: found.writes / expected.writes,
    open: found.open / expected.open,
    received: expected.received === 0 ? 1 : found.received / expected.received,
    cores: found.cores / expected.coresNeeded,
    loop: found.loop / expected.processBusy,
    running: found.running / expected.running,
    littles,
  };
  return { scenario, asked, carried, rate, found, expected, ratios };
}

/** The highest rate at which no resource is full; found by halving, because not all of the use grows with the rate. */
function rateThatFits(scenario) {
  const fits = (rate) => arithmeticOf({ ...scenario, rate }, COSTS).limits[0][1] <= FULL;
  let [low, high] = [0, 10 * scenario.rate];
  while (high - low > high / 1000 && high > 0.5) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** How many processes have event loops that are not full at the rate asked for. Each hears of what the others do, so their work grows too. */
function processesFor(scenario) {
  const fits = (processes) => arithmeticOf({ ...scenario, processes }, COSTS).processBusy <= FULL;
  let processes = 1;
  while (!fits(processes) && processes < MOST_PROCESSES) processes = Math.ceil(processes * 1.01);
  return fits(processes) ? processes : 'none';
}

function comparedTable(compared) {
  const columns = [
    'condition',
    'turns/s',
    'predicted',
    'ratio',
    'statements',
    'predicted',
    'trips',
    'predicted',
    'p50 ms',
    'predicted',
    'p99 ms',
    'predicted',
  ];
  return tableText(
    columns,
    compared.map(({ label, measured, predicted }) => [
      label,
      measured.perSecond,
      predicted.perSecond,
      predicted.perSecond / measured.perSecond,
      ...['statements', 'trips', 'p50', 'p99'].flatMap((name) => [measured[name], predicted[name]]),
    ]),
  );
}

function simulatedTable(scenarios) {
  const columns = [
    ...[
      'fleet',
      'simulated at/s',
      'statements/s',
      'round trips/s',
      'writes/s',
      'log MB/s',
      'growth GB/day',
      'journal M entries/day',
      'hours to 2^31 transactions',
    ],
    ...[
      'units open',
      'p99',
      'locks',
      'waits per 1,000',
      'messages/s to a process',
      'reads/s of a process',
      'connections',
      'database cores',
    ],
    ...['loop busy', 'added p50 ms', 'p99 ms'],
  ];
  return tableText(
    columns,
    scenarios.map(({ scenario, rate, found, expected }) => {
      if (!found) return [scenario.name, 'none'];
      const sessionsPerDay = (scenario.sessions * 1440) / scenario.sessionMinutes;
      const growth = (rate * COSTS.bytes.turn * 86_400 + sessionsPerDay * COSTS.bytes.session) / 1e9;
      return [
        ...[
          scenario.name,
          rate,
          found.statements,
          found.trips,
          found.writes,
          found.walBytes / 1e6,
          growth,
          expected.entriesPerDay / 1e6,
          expected.wraparoundHours,
        ],
        ...[found.open, found.openP99, found.open * COSTS.unitLocks.all, found.lockWaits, found.received, found.reads],
        ...[expected.connections, found.cores, found.loop, found.p50, found.p99],
      ];
    }),
  );
}

function limitsTable(scenarios) {
  return tableText(
    ['fleet', 'asked for', 'carries', 'processes for the rate', 'first limit', 'use', 'second', 'use', 'third', 'use', 'deletion'],
    scenarios.map(({ scenario, asked, carried }) => [
      scenario.name,
      scenario.rate,
      carried < 1 ? 'none' : carried,
      processesFor(scenario),
      ...asked.limits.slice(0, 3).flatMap(([name, use]) => [name, percent(use)]),
      percent(asked.deletion),
    ]),
  );
}

function percent(use) {
  return `${short(PERCENT * use)} %`;
}

function arithmeticTable(scenarios) {
  const names = ['statements', 'trips', 'writes', 'open', 'received', 'cores', 'loop', 'running', 'littles'];
  return tableText(
    ['fleet', ...names],
    scenarios.map(({ scenario, ratios }) => [scenario.name, ...names.map((name) => (ratios ? ratios[name].toFixed(2) : ''))]),
  );
}

function sorted(numbers) {
  return numbers.toSorted((a, b) => a - b);
}

function farthest(ratios) {
  return ratios.reduce((worst, ratio) => (Math.abs(Math.log(ratio)) > Math.abs(Math.log(worst)) ? ratio : worst), 1);
}
