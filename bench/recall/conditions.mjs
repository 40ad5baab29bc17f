// Under what the questions of a world are asked. Each condition gets the stage and `told()`, a copy of the data directory of the world, and
// gives back the results of questions, with notes.
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../support/statistics.mjs';
import { shown } from '../support/table.mjs';
import { idle } from '../support/workshop.mjs';
import { chatter } from './chatter.mjs';
import { embeddedFiller, fillMemories } from './fill.mjs';
import { Random } from './random.mjs';

const STARTS = 12;
const REPEATED = 6;
const REPETITIONS = 20;
const WRITE_EVERY_MS = 700;
const FOUND_WITHIN_MS = 10_000;
const ASK_AGAIN_MS = 500;
const REST_MS = 11_000;
/** RECALL_TOKENS of the curve. */
export const BUDGETS = [300, 500, 800, 1500];

export const CONDITIONS = {
  /** A server that has been running for a while. */
  async warm(stage, told) {
    const server = await ready(stage, await told());
    return stage.askAll(server, stage.world.questions);
  },

  /** The first question after a kill and a start, one of each kind in turn. */
  async start(stage, told) {
    const data = await told();
    const results = [];
    const questions = spread(stage.world.questions.filter(({ kind }) => kind !== 'never'));
    for (const question of questions.slice(0, stage.workshop.times(STARTS))) {
      const server = await stage.server(data);
      results.push(await stage.ask(server, question));
      server.child.kill('SIGKILL');
      await server.ended;
    }
    return { results };
  },

  'at-once': async (stage, told) => {
    const server = await ready(stage, await told());
    return stage.askAll(server, stage.world.questions, { atOnce: 16 });
  },

  writes: underWrites,

  /** Questions that have been asked before, so that what they find first is themselves. */
  async repeated(stage, told) {
    const server = await ready(stage, await told());
    const results = [];
    const questions = spread(stage.world.questions.filter(({ kind, buried }) => !buried && (kind === 'single' || kind === 'reworded')));
    for (const question of questions.slice(0, stage.workshop.times(REPEATED))) {
      for (let time = 0; time < stage.workshop.times(REPETITIONS, 2); time++) await stage.ask(server, question);
      await stage.embedded(server);
      results.push(await stage.ask(server, question));
    }
    return { results, note: `asked ${stage.workshop.times(REPETITIONS, 2)} times before` };
  },

  '10k': (stage, told) => amongMany(stage, told, 10_000),
  '100k': (stage, told) => amongMany(stage, told, 100_000),

  /** Facts about the user were extracted by a scripted model when they were told. */
  async extraction(stage) {
    return askAfterExtraction(stage);
  },

  ...Object.fromEntries(
    BUDGETS.flatMap((tokens) => [
      [`tokens-${tokens}`, async (stage, told) => askWith(stage, await told(), { RECALL_TOKENS: String(tokens) })],
      [`extraction-${tokens}`, (stage) => askAfterExtraction(stage, { RECALL_TOKENS: String(tokens) })],
    ]),
  ),

  /** Without a language model: what is judged is the answer. */
  async offline(stage, told) {
    const server = await ready(stage, await told(), { MODEL_PROVIDER: 'offline' });
    return stage.askAll(Object.assign(server, { offline: true }), stage.world.questions);
  },

  /** Without vectors. */
  async none(stage, told) {
    const server = await ready(stage, await told(), { EMBEDDING_PROVIDER: 'none' });
    return stage.askAll(server, stage.world.questions);
  },
};

/** A server whose encoder and code are warm and that has nothing else to do. */
async function askWith(stage, data, env) {
  const server = await ready(stage, data, env);
  return stage.askAll(server, stage.world.questions);
}

async function askAfterExtraction(stage, env = {}) {
  stage.extracted ??= stage.told({ extracting: true });
  const { data } = await stage.extracted;
  return askWith(stage, await stage.workshop.copyOf(data), { MEMORY_EXTRACTION: 'auto', ...env });
}

async function ready(stage, data, env = {}) {
  const server = await stage.server(data, env);
  if (!stage.workshop.smoke) await idle(server.pid);
  const random = new Random(stage.world.seed);
  await stage.converse(
    server,
    stage.world.strangers[0],
    [1, 2, 3].map(() => chatter(random, stage.world.speech)),
  );
  return server;
}

async function amongMany(stage, told, count) {
  const data = await told();
  stage.filler ??= await embeddedFiller(stage.world, stage.workshop.smoke ? 20 : 2000);
  await fillMemories(data, stage.world, stage.workshop.smoke ? 600 : count, stage.filler);
  const server = await ready(stage, data);
  // The first question loads the index, may be late for that, and lets the encoder rest. What a start costs is measured under `start`.
  if (!stage.workshop.smoke) await pause(REST_MS);
  return stage.askAll(server, stage.world.questions);
}

/** Asks for what was told a moment ago, in another session, while others write so often that the server is never quiet. */
async function underWrites(stage, told) {
  const { world, workshop } = stage;
  const server = await ready(stage, await told());
  const writing = new AbortController();
  const writer = write(stage, server, writing.signal);
  const [results, waits, missed] = [[], [], []];
  try {
    for (const { id, value, told: text, turns } of world.late) {
      await stage.converse(server, world.userId, [text]);
      const since = performance.now();
      const question = { id: `late ${id}`, kind: 'single', buried: false, turns, evidence: [{ value, text }] };
      const first = await stage.ask(server, question);
      results.push(first);
      let found = first.answerable;
      let asked = since;
      while (!found && performance.now() - since < workshop.seconds(FOUND_WITHIN_MS / 1000) * 1000) {
        await pause(ASK_AGAIN_MS);
        asked = performance.now();
        found = (await stage.ask(server, question)).answerable;
      }
      if (found) waits.push(asked - since);
      else missed.push(question);
    }
  } finally {
    writing.abort();
    await writer;
  }
  if (missed.length > 0) await stage.embedded(server);
  let inQuiet = 0;
  for (const question of missed) if ((await stage.ask(server, question)).answerable) inQuiet += 1;
  const after = waits.length === 0 ? '' : `found after ${shown(median(waits))} ms at the median, ${shown(Math.max(...waits))} ms at most; `;
  const rest = `${missed.length} of ${world.late.length} not within ${workshop.seconds(FOUND_WITHIN_MS / 1000)} s, ${inQuiet} of these in quiet`;
  return { results, note: after + rest };
}

async function write(stage, server, signal) {
  const random = new Random(stage.world.seed);
  while (!signal.aborted) {
    await stage.converse(server, random.pick(stage.world.strangers), [chatter(random, stage.world.speech)]);
    await pause(WRITE_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The kinds in turn. */
function spread(questions) {
  const kinds = [...new Set(questions.map(({ kind }) => kind))].map((kind) => questions.filter((question) => question.kind === kind));
  return questions.flatMap((_, place) => kinds.flatMap((list) => list[place] ?? []));
}
