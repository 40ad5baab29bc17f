// A server goes on where it was after its database has been moved by the command, which is killed on the way: clients keep their sessions
// and cursors, pending turns run, files are served.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SCHEMA } from '../../src/app.module.js';
import type { Config } from '../../src/core/config/index.js';
import { Connection } from '../../src/core/database/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/memory-app.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { serverEvents, type ServerEvent } from '../support/sse-client.js';
import { testConfig } from '../support/test-store.js';
import { form, png } from '../support/uploads.js';

const MAIN = resolve(import.meta.dirname, '../../dist/main.js');
const AGENT = idFromText('Vera');
/** Enough for the command to be killed in the middle. */
const ROWS = 8000;

let model: ModelServer;
let file: Config;
let shared: Config;
const removals: (() => Promise<void>)[] = [];

beforeAll(async () => {
  model = await startModelServer();
  const [own, other] = [await testConfig('sqlite'), await testConfig('postgres')];
  [file, shared] = [own.config, other.config];
  removals.push(own.remove, other.remove);
  await mkdir(file.charactersDir);
  await writeFile(join(file.charactersDir, 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
});
afterAll(async () => {
  await killAll();
  await model.close();
  for (const remove of removals) await remove();
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `parley move`. @param killAt ends it with SIGKILL as soon as it prints this */
async function move(env: Record<string, string>, target: string, killAt?: RegExp): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, 'move', target], { cwd: file.dataDir, env: { PATH: process.env['PATH'], ...env } });
  const ended = { code: null as number | null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ended.err += text;
    if (killAt?.test(ended.err)) child.kill('SIGKILL');
  });
  [ended.code] = (await once(child, 'close')) as [number | null];
  return ended;
}

/** The events of a session behind a cursor, up to the one that matches. */
async function events(url: string, sessionId: string, after: string, last: (event: ServerEvent) => boolean): Promise<ServerEvent[]> {
  const cut = new AbortController();
  const found: ServerEvent[] = [];
  const response = await fetch(`${url}/api/messaging/sessions/${sessionId}/events`, {
    headers: { 'last-event-id': after },
    signal: cut.signal,
  });
  for await (const event of serverEvents(response)) {
    if (event.id === undefined || event.event === 'ready') continue;
    found.push(event);
    if (last(event)) break;
  }
  cut.abort();
  return found;
}

const says =
  (text: string) =>
  ({ data }: ServerEvent): boolean =>
    data.content === text || data.text === text;

it('keeps sessions, cursors, pending turns and files in both directions', async () => {
  const env: ServerEnv = { DATA_DIR: file.dataDir, CHARACTERS_DIR: file.charactersDir, OPENAI_BASE_URL: model.baseUrl };
  let server = await ServerProcess.start(env);
  const api = new ApiClient(() => server.url);
  const session = { agentId: AGENT, userId: randomUUID() };
  const { sessionId, channelId } = (await api.post('/api/messaging/sessions', session)).body.data;
  const say = (content: string, transport: string): ReturnType<ApiClient['post']> =>
    api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport });
  const texts = async (): Promise<string[]> =>
    (await api.get(`/api/messaging/sessions/${sessionId}/messages?limit=100`)).body.data.messages
      .toSorted((a: { createdAt: string }, b: { createdAt: string }) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
      .map(({ content }: { content: string }) => content);

  model.next({ kind: 'reply', text: 'The first answer.' });
  expect((await say('The first question.', 'http')).body.data.agentResponse.text).toBe('The first answer.');
  const upload = await api.post(`/api/messaging/channels/${channelId}/upload-media`, form(png(7)));
  const picture = new URL(upload.body.data.url, server.url).pathname;
  const heard = await events(server.url, sessionId, '0', says('The first answer.'));
  // The server is killed while the model thinks.
  model.next({ kind: 'hang' });
  expect((await say('The second question.', 'websocket')).status).toBe(201);
  await model.received(2);
  await server.kill();

  const rows = `INSERT INTO server_samples (id, at, process_id, memory_bytes, database_bytes)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT 'sample ' || i, 1e15 + i, 'p', i, i FROM n`;
  const sqlite = await Connection.open(file.databaseUrl, SCHEMA, 'write');
  await sqlite.rows(rows);
  await sqlite.close();

  const there = { DATA_DIR: file.dataDir, DATABASE_URL: shared.databaseUrl };
  const killed = await move({ DATA_DIR: file.dataDir }, shared.databaseUrl, /copied [\d,]+ of [\d,]+ rows/);
  expect(killed).toMatchObject({ code: null, out: '' });
  const refused = await ServerProcess.fail({ ...env, ...there });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('the target of a move that has not finished')]);
  const moved = await move({ DATA_DIR: file.dataDir }, shared.databaseUrl);
  expect(moved).toMatchObject({ code: 0, err: expect.stringContaining('The interrupted move is continued.') });
  expect(moved.out).toContain(`Set DATABASE_URL=${shared.databaseUrl} and start the server.`);

  model.otherwise({ kind: 'reply', text: 'The second answer.' });
  server = await ServerProcess.start({ ...env, ...there });
  const cursor = heard.at(-1)?.id ?? '0';
  const rest = await events(server.url, sessionId, cursor, says('The second answer.'));
  expect(await events(server.url, sessionId, '0', ({ id }) => id === cursor)).toEqual(heard);
  const offsets = [heard.at(-1), ...rest].map((event): number => event?.data.offset);
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  expect(await texts()).toEqual(['The first question.', 'The first answer.', 'The second question.', 'The second answer.']);
  expect(Buffer.from(await (await fetch(server.url + picture)).arrayBuffer())).toEqual(png(7));
  model.otherwise({ kind: 'reply', text: 'The third answer.' });
  expect((await say('The third question.', 'http')).body.data.agentResponse.text).toBe('The third answer.');
  const running = await move(there, `sqlite:${join(file.dataDir, 'new')}`);
  expect([running.code, running.err]).toEqual([1, expect.stringContaining('Another process uses the data directory')]);
  await eventually(async () => (await events(server.url, sessionId, cursor, says('The third answer.'))).length > rest.length);
  const newest = (await events(server.url, sessionId, cursor, says('The third answer.'))).at(-1);
  expect((await server.stop()).code).toBe(0);

  const folder = await mkdtemp(join(tmpdir(), 'parley-move-'));
  removals.push(() => rm(folder, { recursive: true, force: true }));
  expect((await move(there, `sqlite:${folder}`, /copied [\d,]+ of [\d,]+ rows/)).code).toBe(null);
  expect((await ServerProcess.fail({ ...env, DATA_DIR: folder })).stderr).toContain('the target of a move that has not finished');
  const back = await move(there, `sqlite:${folder}`);
  expect(back).toMatchObject({ code: 0, err: expect.stringContaining('The interrupted move is continued.') });
  server = await ServerProcess.start({ ...env, DATA_DIR: folder });
  model.otherwise({ kind: 'reply', text: 'The fourth answer.' });
  expect((await say('The fourth question.', 'http')).body.data.agentResponse.text).toBe('The fourth answer.');
  const last = await events(server.url, sessionId, newest?.id ?? '0', says('The fourth answer.'));
  expect(last[0]?.data.offset).toBeGreaterThan(newest?.data.offset);
  expect((await texts()).slice(-4)).toEqual(['The third question.', 'The third answer.', 'The fourth question.', 'The fourth answer.']);
  expect(Buffer.from(await (await fetch(server.url + picture)).arrayBuffer())).toEqual(png(7));
  expect((await server.stop()).code).toBe(0);
});
