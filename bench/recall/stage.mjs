// A world on a server: tells it, asks, and records what the model is sent.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startModelServer } from '../../test/support/model-server.mjs';
import { idle, processorMs } from '../support/workshop.mjs';
import { scriptedExtractor } from './extractor.mjs';
import { judgeAnswer, judgePrompt } from './judge.mjs';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SHIFTED_CLOCK = pathToFileURL(join(import.meta.dirname, '..', '..', 'test', 'proof', 'support', 'shifted-clock.mjs')).href;
const VECTORS_LIMIT_MS = 300_000;
const EXTRACTION_LIMIT_MS = 60_000;
const POLL_MS = 100;
const PAGE = 1000;

export class Stage {
  constructor(workshop, world, model) {
    this.workshop = workshop;
    this.world = world;
    this.model = model;
  }

  static async open(workshop, world) {
    return new Stage(workshop, world, await startModelServer({ otherwise: { kind: 'reply', text: 'All right.' } }));
  }

  close() {
    return this.model.close();
  }

  /** A server on a data directory, and the agent that everybody talks to. */
  async server(data, env = {}) {
    const server = await this.workshop.parley({
      data,
      env: { EMBEDDING_PROVIDER: 'embedded', ...settingsFor(this.model, this.workshop.env), ...env },
    });
    return Object.assign(server, { agentId: (await server.api('GET', '/api/agents')).data.agents[0].id, data });
  }

  /**
   * A data directory in which everything has been told, on the days on which it is told in the world, and has its vectors.
   * @param extracting whether a model extracts facts about the users
   * @returns the directory, and how many messages of users it has and how many of them have vectors
   */
  async told({ extracting = false } = {}) {
    const data = await this.workshop.data();
    const shift = join(this.workshop.directory, 'shift');
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    // In the morning, so that no conversation lasts over midnight.
    const dayOf = ({ daysAgo }) => midnight - daysAgo * DAY_MS + 9 * HOUR_MS;
    const setClock = (at) => writeFile(shift, String(at - Date.now()));
    // The clock only ever goes forward.
    await setClock(dayOf(this.world.conversations[0]));
    const extractor = scriptedExtractor(this.world);
    this.model.otherwise(extractor.behaviour);
    const server = await this.server(data, {
      NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`,
      SHIFTED_CLOCK: shift,
      MEMORY_EXTRACTION: extracting ? 'auto' : 'none',
    });
    for (const conversation of this.world.conversations) {
      const at = dayOf(conversation);
      await setClock(at);
      await clockReaches(server, at);
      for (const statement of this.world.statements) if (conversation.messages.includes(statement.text)) statement.at = at;
      await this.converse(server, conversation.userId, conversation.messages);
    }
    await setClock(Date.now());
    await clockReaches(server, Date.now());
    const vectors = await this.embedded(server);
    if (extracting) await this.#extracted(extractor);
    await server.stop();
    return { data, vectors };
  }

  /** Waits until the server has nothing to do. @returns how many messages users have sent, and how many have vectors */
  async embedded(server) {
    const limit = performance.now() + VECTORS_LIMIT_MS;
    for (let before = -1; ;) {
      await idle(server.pid);
      const { messages, vectors } = await countVectors(server);
      if (vectors === before || vectors === messages || performance.now() > limit) return { messages, vectors };
      before = vectors;
    }
  }

  /** The extraction of a conversation begins 20 s after its last turn. */
  async #extracted({ read, expected }) {
    const limit = performance.now() + EXTRACTION_LIMIT_MS;
    while (read.size < expected) {
      if (performance.now() > limit) throw new Error(`${read.size} of ${expected} facts were extracted`);
      await pause(POLL_MS);
    }
  }

  /** Says one thing after the other in a new session. @returns what each message led to */
  async converse(server, userId, messages) {
    const { data } = await server.api('POST', '/api/messaging/sessions', { agentId: server.agentId, userId });
    const turns = [];
    for (const content of messages) {
      const sentAt = performance.now();
      const reply = await server.api('POST', `/api/messaging/sessions/${data.sessionId}/messages`, { content, transport: 'http' });
      const call = this.#callAbout(content);
      turns.push({
        answer: answerOf(reply.data),
        body: call?.body,
        ms: call === undefined ? performance.now() - sentAt : call.at - sentAt,
      });
    }
    return turns;
  }

  /** Asks in a session of its own. @returns {Promise<object>} the question, the verdict, and the time until the model was called, ms */
  async ask(server, question) {
    const turn = (await this.converse(server, this.world.userId, question.turns)).at(-1);
    if (turn.body === undefined && !server.offline) throw new Error(`the model was not asked "${question.turns.at(-1)}"`);
    const verdict = turn.body === undefined ? judgeAnswer(question, this.world, turn.answer) : judgePrompt(question, this.world, turn.body);
    return { question, ...verdict, ms: turn.ms };
  }

  /** Asks all questions, so many at once. @returns the results, and the processor time of a turn, ms */
  async askAll(server, questions, { atOnce = 1 } = {}) {
    const before = await processorMs(server.pid);
    const results = [];
    const remaining = [...questions];
    const caller = async () => {
      for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) results.push(await this.ask(server, next));
    };
    await Promise.all(Array.from({ length: atOnce }, caller));
    if (!this.workshop.smoke) await idle(server.pid);
    const turns = questions.reduce((sum, { turns: said }) => sum + said.length, 0);
    return { results, processorMs: ((await processorMs(server.pid)) - before) / turns };
  }

  /** The answer to a message is streamed; other calls of the model are not about what is asked. */
  #callAbout(content) {
    const calls = this.model.requests.splice(0);
    const index = calls.findIndex(
      ({ body }) => body.stream === true && JSON.stringify(body.messages.at(-1).content).includes(JSON.stringify(content).slice(1, -1)),
    );
    this.model.requests.push(...calls.filter((_, place) => place !== index && calls.length - place < 64));
    return calls[index];
  }
}

/** The settings of a server whose language model is the stub. A service at OPENAI_BASE_URL is for embeddings. */
export function settingsFor(model, given) {
  const chat =
    given.OPENAI_BASE_URL === undefined
      ? { OPENAI_BASE_URL: model.baseUrl }
      : { MODEL_PROVIDER: 'ollama', OLLAMA_BASE_URL: model.baseUrl, OLLAMA_MODEL: 'stub' };
  return { ...chat, ...given };
}

async function clockReaches(server, at) {
  const limit = performance.now() + 10_000;
  for (;;) {
    server.child.kill('SIGUSR2');
    const { text } = await server.api('GET', '/api/server/ping');
    if (Math.abs(JSON.parse(text).timestamp - at) < HOUR_MS) return;
    if (performance.now() > limit) throw new Error(`the clock of the server did not change: ${text}`);
  }
}

async function countVectors(server) {
  let [messages, vectors] = [0, 0];
  for (let before = ''; ;) {
    const path = `/api/memory/${server.agentId}/memories?limit=${PAGE}&includeEmbedding=true${before}`;
    const { data } = await server.api('GET', path);
    const said = data.memories.filter(({ entityId }) => entityId !== server.agentId);
    messages += said.length;
    vectors += said.filter(({ embedding }) => embedding !== undefined).length;
    if (!data.hasMore) return { messages, vectors };
    before = `&before=${data.nextCursor}`;
  }
}

function answerOf({ agentResponse }) {
  return agentResponse?.text ?? agentResponse?.content ?? '';
}
