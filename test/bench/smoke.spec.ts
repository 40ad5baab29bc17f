// CI does not measure, but each bench has to run: here with two requests for each caller.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const RUN = join(import.meta.dirname, '..', '..', 'bench', 'run.mjs');
const LIMIT_MS = 600_000;
const MAX_COMPLAINT = 4000;

const MEMORY_CONDITIONS = [
  ...['warm', 'start', 'at-once', 'writes', 'repeated', '10k', 'extraction'],
  ...[300, 500, 800, 1500].flatMap((tokens) => [`tokens-${tokens}`, `extraction-${tokens}`]),
  ...['offline', 'none', 'nearest-12', 'nearest-24', 'nearest-40', 'nearest-75', 'all', 'grep'],
];
const OF_A_TURN = ['turns/s', 'statements per turn', 'round trips per turn', 'commits per turn', 'processor per turn'];
const OF_LOCKS = ['lock held per turn without flush', 'most turns/s that the locks allow'];
const OF_A_FLEET = ['rollbacks per turn', 'announcements of a warning'];
const PROMISES = [
  'stale reads with the position',
  '404 for a new agent',
  'embeddings of a memory',
  'failed requests in a rolling restart',
  'longest takeover',
];
const FLEET = [
  ...named([...OF_A_TURN, ...OF_LOCKS], '1 process'),
  ...named([...OF_A_TURN, ...OF_LOCKS], '1 process, 1 caller'),
  ...named([...OF_A_TURN, ...OF_LOCKS], '2 processes'),
  ...named([...OF_A_TURN, ...OF_LOCKS], '2 processes, spread'),
  ...named([...OF_A_TURN, ...OF_LOCKS], '4 processes'),
  ...named([...OF_A_TURN, ...OF_LOCKS], '4 processes, spread'),
  ...named([...OF_A_TURN, ...OF_LOCKS], '4 processes, spread, 1 caller'),
  ...['4 processes apart', '4 processes / 1', '4 processes / 4 apart', '4 processes / 1, spread', '4 processes / 4 apart, spread'].flatMap(
    (label) => named(['turns/s', 'processor per turn'], label),
  ),
  ...['1 process', '2 processes', '4 processes'].flatMap((processes) => named(OF_A_FLEET, processes)),
  'fleet, sweeps while idle, 4 processes / 1',
  ...['1 process', '2 processes', '4 processes'].flatMap((processes) => [
    `fleet, statements per turn, ${processes}, at once`,
    `fleet, statements per turn, ${processes}, streamed`,
    `fleet, statements per piece, ${processes}`,
    `fleet, round trips per turn, ${processes}, streamed - at once`,
  ]),
  ...named(PROMISES, '3 processes'),
  ...named(PROMISES, '3 processes, PgBouncer'),
];
const OF_A_CONDITION = ['turns/s', 'statements per turn', 'round trips per turn'];
const SCALE = [
  ...['1 process', '4 processes', '4 processes, their processor time'].flatMap((label) => compared(OF_A_CONDITION, label)),
  ...compared(OF_A_CONDITION.slice(1), '4 processes, spread'),
  ...['1 process, loaded', '1 process, 1 caller, loaded', '2 processes, loaded'].flatMap((label) => compared(OF_A_CONDITION, label)),
];
const OF_PROTOCOLS = ['chat completions', 'chat completions, resent', 'responses', 'anthropic', 'anthropic, resent'];
const PROTOCOLS = [
  ...OF_PROTOCOLS.map((name) => `${name}, at once / native`),
  ...[...OF_PROTOCOLS, 'ai sdk', 'ai sdk, resent'].map((name) => `${name}, streamed / native`),
];

it(
  'measures every item of the budgets',
  async () => {
    const { output, names } = await smoke();
    const fleet = names.filter((name) => name.startsWith('fleet, '));
    // The bench starts a PostgreSQL of its own, where one is installed.
    if (fleet.length === 0) expect(output).toContain('fleet: not measured, PostgreSQL is not installed');
    else expect(fleet).toEqual(FLEET);
    expect(names.filter((name) => !fleet.includes(name))).toEqual([
      ...[0, 50, 500].flatMap((messages) => [`turn, ${messages} messages, 1 caller`, `turn, ${messages} messages, 16 callers`]),
      'resident, peak of all turns',
      'longest hold, 4 write within a second',
      'load average at the end',
      ...['200 sse', '500 sse'].flatMap((readers) => [...streamed(readers), ...streamed(readers, ', bare proxy')]),
      ...streamed('200 socket'),
      '200 http: each',
      '200 http: all have all',
      ...['100 sse', '500 sse'].flatMap((readers) => [
        `${readers}, default settings: all have all`,
        `${readers}, default settings: all have all, bare proxy`,
      ]),
      'load average at the end',
      expect.stringMatching(/^turns with \d+ messages \/ with none$/),
      'page of 50 out of 1000 messages / out of 120',
      'page of 50 out of 1000 channels / out of 120',
      'page of 50 out of 1000 message servers / out of 120',
      'page of 50 out of 1000 memories / out of 120',
      'page of 50 out of 1000 memories of a room / out of 120',
      'page of 50 out of 1000 logs / out of 120',
      'page of 50 out of 1000 runs / out of 120',
      'search p95, 1000 messages',
      'page of 50 out of 1000 agents / out of 120',
      'model call, the request alone',
      'model call, the AI SDK alone',
      'model call, Parley',
      'a question beside long texts / alone',
      'the same, p95',
      ...Array.from({ length: 15 }, () => expect.stringMatching(/^longest hold, /)),
      ...Array.from({ length: 16 }, () => expect.stringMatching(/^longest stall, /)),
      'GET agents, 16 callers',
      'GET agents, 16 callers, bare Express',
      'submit, 16 callers',
      'submit, 64 callers',
      'create session, 64 callers',
      'PATCH channel, 16 callers',
      'channels of a server, 10, 16 callers',
      'channels of a server, 1000, 16 callers',
      'turn, 1 caller',
      'turn, 16 callers',
      'turn, 64 callers',
      'turn that recalls, 16 callers',
      'load average at the end',
      'GET agents, 16 callers, metrics on / off',
      'submit, 16 callers, metrics on / off',
      'scrape of metrics',
      'GET agents with traces / without, processor time',
      'GET agents with traces, none sampled / without, processor time',
      'turn with traces / without, processor time',
      'turn with traces, none sampled / without, processor time',
      'spans that the collector got',
      ...PROTOCOLS,
      'resident, idle, one agent',
      'resident, idle, the agents it comes with',
      'resident, idle, 100 agents',
      'start to first answer, empty directory',
      'resident, peak of turns',
      'resident, a minute after turns',
      'resident, peak of turns with vectors',
      'resident, a minute after turns with vectors',
      ...MEMORY_CONDITIONS.map((condition) => `answerable from memory, ${condition}`),
      'messages found, zh',
      'documents found, zh, words alone',
      'documents found, zh, default configuration',
      'ingestion of a PDF of 3 pages',
      'resident, peak beside idle, a PDF of 3 pages',
      'ingestion of the same with an encoder',
      'resident, peak beside idle, the same with an encoder',
      'until its last piece has a vector',
      ...SCALE,
      'scale, simulation / arithmetic, farthest',
      'fan-out p99, 20 sockets in a channel',
      'resident for each of 20 idle sockets',
      'GET /api/agents p99 beside them',
      'start with 5 plugins of 10 routes, added',
      'GET /api/agents / a route of a plugin',
      'acknowledged deliveries p99, 20 and more under way',
      'acknowledged deliveries p99, 20 at once',
      'the same / an empty route',
      'first byte of speech p95, 200 characters',
      'speech, times real time',
      'speech / Flite alone',
      'recognition, times real time',
      'recognition / PocketSphinx alone',
      'longest pause of the event loop, 4 requests',
      'resident after 6 idle minutes',
    ]);
    expect(output).not.toContain('NaN');
  },
  LIMIT_MS + 5_000,
);

it(
  'measures memory in another language',
  async () => {
    const { output, names } = await smoke('--only', 'memory', '--languages', 'th', '--only-conditions', 'none');
    const rows = ['none', 'nearest-12', 'nearest-24', 'nearest-40', 'nearest-75', 'all'];
    expect(names).toEqual(rows.map((row) => `answerable from memory, th, ${row}`));
    expect(output).toContain('language th, SQLite');
  },
  LIMIT_MS + 5_000,
);

async function smoke(...options: string[]): Promise<{ output: string; names: string[] }> {
  const run = spawn(process.execPath, [RUN, '--smoke', ...options], { stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
  let [output, complaints] = ['', ''];
  run.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  run.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const [code] = (await once(run, 'close')) as [number | null];
  const failed = complaints.slice(Math.max(0, complaints.search(/^.* failed: /m))).slice(0, MAX_COMPLAINT);
  expect({ code, complaints: code === 0 ? '' : failed }).toEqual({ code: 0, complaints: '' });
  const [table = ''] = output.split('\n\n');
  const names = table
    .split('\n')
    .slice(2)
    .flatMap((line) => line.split('|')[1]?.trim() ?? []);
  return { output, names };
}

function streamed(readers: string, label = ''): string[] {
  return ['each', 'all have all', 'a piece, p95'].map((figure) => `${readers}: ${figure}${label}`);
}

function named(figures: string[], condition: string): string[] {
  return figures.map((figure) => `fleet, ${figure}, ${condition}`);
}

function compared(figures: string[], condition: string): string[] {
  return figures.map((figure) => `scale, ${figure} predicted / measured, ${condition}`);
}
