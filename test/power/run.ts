// Cuts the power of a virtual machine with the built server, again and again: docs/reference/reliability.md, "Power failures".
//   npm run test:power [-- --rounds 20 --postgres 5 --seed 7]
//   npm run test:power -- --control     the server flushes nothing: the test has to find that
import { parseArgs } from 'node:util';
import { getGlobalDispatcher, setGlobalDispatcher, type Dispatcher } from 'undici';
import ensureBuild from '../../scripts/ensure-build.mjs';
import { Random, seedFrom } from '../support/random.js';
import { API_KEY, PowerTest, type RoundResult } from './support/power-test.js';

const FAULTS_SHOWN = 10;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    postgres: { type: 'string', default: '5' },
    seed: { type: 'string' },
    nice: { type: 'string', default: '10' },
    control: { type: 'boolean', default: false },
  },
});
const rounds = { sqlite: count('rounds', values.rounds), postgres: count('postgres', values.postgres) };
const seed = values.seed === undefined ? seedFrom('POWER_SEED') : count('seed', values.seed);

let running: PowerTest | undefined;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted = true;
    // What waits for the machine fails then, and the rest is cleaned up as after any failure.
    if (running) void running.close();
    else process.exit(130);
  });
}

// The server listens on a network, so it demands a key.
const withKey: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch({ ...options, headers: { ...(options.headers as Record<string, string>), 'x-api-key': API_KEY } }, handler);
setGlobalDispatcher(getGlobalDispatcher().compose(withKey));

await ensureBuild();
print(`seed ${seed}`);
const broken: number[] = [];
for (const engine of ['sqlite', 'postgres'] as const) {
  if (rounds[engine] > 0 && !interrupted) broken.push(await play(engine, rounds[engine]));
}
const passed = broken.every((found) => found > 0 === values.control);
if (values.control && !interrupted) {
  print(passed ? 'The control found what a server that flushes nothing loses.' : 'THE CONTROL FOUND NOTHING: the test cannot fail.');
}
process.exit(interrupted ? 130 : passed ? 0 : 1);

/** @returns the number of broken promises */
async function play(engine: 'sqlite' | 'postgres', times: number): Promise<number> {
  const random = new Random(seed);
  const results: RoundResult[] = [];
  let found = 0;
  running = await PowerTest.open(engine, random, values.control, count('nice', values.nice));
  try {
    await running.start();
    for (let round = 1; round <= times; round += 1) {
      const result = await running.round();
      results.push(result);
      found += report(`${engine} ${round}`, result);
      if (found > 0) return found;
    }
    const late = await running.checkAll();
    for (const fault of late.slice(0, FAULTS_SHOWN)) print(`  ${shown(fault)}`);
    found += late.length;
  } catch (error) {
    if (interrupted) return found;
    print(running.output());
    throw error;
  } finally {
    print(summary(engine, results, found));
    await running.close();
    running = undefined;
  }
  return found;
}

function summary(engine: string, results: readonly RoundResult[], found: number): string {
  const sum = (of: (result: RoundResult) => number): number => results.reduce((total, result) => total + of(result), 0);
  const cuts = results.flatMap((result) => result.cuts);
  const unflushed = cuts.filter(({ unflushedSectors }) => unflushedSectors > 0);
  return (
    `${engine}, seed ${seed}: ${results.length} rounds, ${cuts.length} power failures, ${sum(({ messages }) => messages)} messages, ` +
    `${sum(({ replies }) => replies)} replies, ${sum(({ sessions }) => sessions)} sessions, ${sum(({ uploads }) => uploads)} uploads, ` +
    `${sum(({ keyed }) => keyed)} keyed requests, ${sum(({ repeated }) => repeated)} requests sent again; ` +
    `${unflushed.length} failures met unflushed writes: ${cuts.reduce((total, { lostSectors }) => total + lostSectors, 0)} of ` +
    `${cuts.reduce((total, { unflushedSectors }) => total + unflushedSectors, 0)} sectors lost; ${found} broken promises`
  );
}

function report(name: string, result: RoundResult): number {
  const { cuts, messages, replies, sessions, uploads, keyed, repeated, startMs, faults } = result;
  const told = cuts.map(
    ({ kind, unflushedWrites, unflushedSectors, lostSectors }) =>
      `${kind}, ${unflushedWrites} unflushed writes, ${lostSectors} of ${unflushedSectors} sectors lost`,
  );
  print(
    `${name}: ${told.join('; ')}; ${messages} messages, ${replies} replies, ${sessions} sessions, ${uploads} uploads, ${keyed} keyed; ` +
      `${repeated} sent again, up after ${(startMs / 1000).toFixed(1)} s; ${faults.length} broken promises`,
  );
  for (const fault of faults.slice(0, FAULTS_SHOWN)) print(`  ${shown(fault)}`);
  return faults.length;
}

/** The beginning says what is broken; the end is the last that the machine printed. */
function shown(fault: string): string {
  return fault.length <= 1500 ? fault : `${fault.slice(0, 300)}\n…\n${fault.slice(-1200)}`;
}

function count(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new Error(`--${name} must be a whole number, not "${text}"`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
