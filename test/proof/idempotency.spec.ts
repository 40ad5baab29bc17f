// Requests with an Idempotency-Key over kill -9: no second effect, and the answer that was given before is given again.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { seeded } from '../support/random.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

const AGENT_ID = idFromText('Vera');
const USER_ID = '11111111-1111-1111-1111-111111111111';
/** The message server that is used unless another one is named. */
const DEFAULT_SERVER = '00000000-0000-0000-0000-000000000000';
const ROUNDS = 3;
const WRITERS = 9;

let directory: string;
let env: ServerEnv;
let model: ModelServer;
let server: ServerProcess;
const api = new ApiClient(() => server.url);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-keys-'));
  await mkdir(join(directory, 'characters'));
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
  model = await startModelServer();
  env = {
    DATA_DIR: join(directory, 'data'),
    CHARACTERS_DIR: join(directory, 'characters'),
    PLUGINS_DIR: join(directory, 'plugins'),
    OPENAI_BASE_URL: model.baseUrl,
    MODEL_RETRIES: '0',
  };
  server = await ServerProcess.start(env);
});
afterEach(async () => {
  await killAll();
  await model.close();
  await rm(directory, { recursive: true, force: true });
});

const send = (path: string, key: string, body: unknown): Promise<ApiResponse> =>
  api.post(path, body, { headers: { 'idempotency-key': key } });
const restart = async (): Promise<void> => {
  await server.kill();
  server = await ServerProcess.start(env);
};

interface Attempt {
  readonly kind: keyof typeof KINDS;
  readonly key: string;
  /** Of the thing that it makes, and of nothing else. */
  readonly name: string;
  /** The response before the kill. */
  first?: ApiResponse;
}

const channels = '/api/messaging/channels';
const KINDS = {
  message: (name: string, channelId: string) => ({
    path: `${channels}/${channelId}/messages`,
    body: { author_id: USER_ID, content: name },
  }),
  channel: (name: string) => ({ path: channels, body: { name } }),
  // Cannot be repeated: what became of an attempt that died is not known.
  server: (name: string) => ({ path: '/api/messaging/message-servers', body: { name, sourceType: 'test' } }),
};

it('each request is executed once, wherever the server was killed', () =>
  seeded('CRASH_SEED', async (random) => {
    const channel = (await api.post(channels, { name: 'shared' })).body.data;
    const attempt = ({ kind, key, name }: Attempt): Promise<ApiResponse> => {
      const { path, body } = KINDS[kind](name, channel.id);
      return send(path, key, body);
    };
    const attempts: Attempt[] = [];
    let [cut, unknown] = [0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      const fresh: Attempt[] = [];
      let left = random.between(10, 60);
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        const kind = (['message', 'channel', 'server'] as const)[writer % 3]!;
        for (;;) {
          const next: Attempt = { kind, key: randomUUID(), name: randomUUID() };
          fresh.push(next);
          try {
            next.first = await attempt(next);
          } catch {
            cut += 1;
            return;
          }
          left -= 1;
          if (left === 0) server.signal('SIGKILL');
        }
      });
      await Promise.all(writers);
      await restart();
      for (const each of fresh) {
        const again = await attempt(each);
        if (each.first) expect([again.status, again.body]).toEqual([201, each.first.body]);
        else if (each.kind === 'server' && again.status === 409) {
          expect(again.body.error.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
          unknown += 1;
        } else expect(again.status).toBe(201);
      }
      attempts.push(...fresh);
    }
    expect(cut).toBe(ROUNDS * WRITERS);
    expect(unknown).toBeLessThanOrEqual((ROUNDS * WRITERS) / 3);

    const { messages } = (await api.get(`${channels}/${channel.id}/messages?limit=100`)).body.data;
    const { messageServers } = (await api.get('/api/messaging/message-servers')).body.data;
    const listed = (await api.get(`/api/messaging/message-servers/${DEFAULT_SERVER}/channels`)).body.data;
    const effects: string[] = [...messages, ...messageServers, ...listed].map(({ content, name }) => content ?? name);
    const counts = attempts.map(({ kind, name }) => [kind, name, effects.filter((effect) => effect === name).length]);
    expect(counts).toEqual(attempts.map(({ kind, name }) => [kind, name, 1]));
  }));

it('an interrupted request can be repeated, and gets one response', async () => {
  const session = (await api.post('/api/messaging/sessions', { agentId: AGENT_ID, userId: randomUUID() })).body.data;
  const path = `/api/messaging/sessions/${session.sessionId}/messages`;
  const key = randomUUID();
  model.next({ kind: 'hang', after: 1 });
  const cut = send(path, key, { content: 'Are you there?', transport: 'http' }).catch(() => 'cut');
  await model.received();
  await restart();
  expect(await cut).toBe('cut');
  const again = await send(path, key, { content: 'Are you there?', transport: 'http' });
  expect([again.status, again.body.data.agentResponse.text]).toEqual([201, 'You said: Are you there?']);
  expect((await send(path, key, { content: 'Are you there?', transport: 'http' })).body).toEqual(again.body);
  expect((await api.get(path)).body.data.messages).toHaveLength(2);
});
