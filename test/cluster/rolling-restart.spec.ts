// Three processes on one PostgreSQL database behind a balancer are restarted one after another, and no user notices.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';
import { Balancer } from '../support/balancer.js';
import { eventually } from '../support/memory-app.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { testConfig } from '../support/test-store.js';

// Looked at field by field.
type Data = ReturnType<typeof JSON.parse>;

const PROCESSES = 3;
const USERS = 6;
// Six starts of a server, each with its users waiting for answers.
const LIMIT_MS = 180_000;
const AGENT = { id: idFromText('Vera'), name: 'Vera', bio: 'An agent of the tests.' };

let model: ModelServer;
let balancer: Balancer;
let remove: () => Promise<void>;
let envs: ServerEnv[];

beforeEach(async () => {
  const made = await testConfig('postgres');
  remove = made.remove;
  model = await startModelServer({ otherwise: { kind: 'reply', delayMs: 30 } });
  balancer = await Balancer.start();
  const { dataDir, charactersDir, databaseUrl } = made.config;
  await mkdir(charactersDir, { recursive: true });
  await writeFile(join(charactersDir, 'vera.json'), JSON.stringify({ name: AGENT.name, bio: AGENT.bio }));
  envs = Array.from({ length: PROCESSES }, (_, index) => ({
    DATA_DIR: join(dataDir, `process-${index}`),
    CHARACTERS_DIR: charactersDir,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'the key that all processes have, long enough',
    OPENAI_BASE_URL: model.baseUrl,
    DRAIN_MS: '400',
    DATABASE_POOL_SIZE: '4',
  }));
});
afterEach(async () => {
  await balancer.close();
  await killAll();
  await model.close();
  await remove();
});

it(
  'fails no request, and replies to each message once',
  async () => {
    const servers: ServerProcess[] = [];
    const startProcess = async (index: number): Promise<void> => {
      const server = await ServerProcess.start(envs[index]!);
      servers[index] = server;
      balancer.add(server.url);
      await eventually(() => balancer.isReady(server.url));
    };
    for (let index = 0; index < PROCESSES; index += 1) await startProcess(index);

    const over = new AbortController();
    let restarted = false;
    const failures: string[] = [];
    const said = new Map<string, string[]>();
    let answered = 0;
    const ask = async (path: string, body?: object): Promise<Data> => {
      const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(balancer.url + path, init).catch((error: unknown) => error as Error);
      if (!(response instanceof Response)) {
        return void failures.push(`${path}: ${String((response.cause as Error | undefined) ?? response)}`);
      }
      const text = await response.text();
      if (!response.ok) return void failures.push(`${path}: ${response.status} ${text}`);
      return JSON.parse(text).data;
    };
    const user = async (): Promise<void> => {
      const { sessionId, channelId } = await ask('/api/messaging/sessions', { agentId: AGENT.id, userId: randomUUID() });
      const contents: string[] = [];
      said.set(channelId, contents);
      while (!over.signal.aborted) {
        const content = `Message ${contents.length} of ${channelId}`;
        contents.push(content);
        const posted = await ask(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
        if (posted?.agentResponse?.text !== `You said: ${content}`) failures.push(`answered with ${JSON.stringify(posted)}`);
        await ask(`/api/messaging/channels/${channelId}/messages?limit=2`);
        answered += 1;
      }
    };
    const users = Array.from({ length: USERS }, user);
    const progress = async (): Promise<void> => {
      const goal = answered + 2 * USERS;
      await eventually(() => answered >= goal || failures.length > 0);
    };
    try {
      for (let index = 0; index < PROCESSES; index += 1) {
        await progress();
        const server = servers[index]!;
        expect(await server.stop()).toEqual({ code: 0, signal: null });
        expect(server.stderr).toBe('');
        balancer.remove(server.url);
        await startProcess(index);
      }
      await progress();
      restarted = true;
    } finally {
      over.abort();
      await Promise.all(users);
    }
    expect([restarted, failures]).toEqual([true, []]);
    process.stdout.write(`rolling restart: ${answered} messages answered, 0 requests failed\n`);

    for (const [channelId, contents] of said) {
      const { messages } = await ask(`/api/messaging/channels/${channelId}/messages?limit=100`);
      const newest = contents.slice(-50).flatMap((content) => [content, `You said: ${content}`]);
      expect(messages.map(({ content }: { content: string }) => content).reverse()).toEqual(newest);
    }
  },
  LIMIT_MS,
);
