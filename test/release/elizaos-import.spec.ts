// What "parley import elizaos" takes out of a PGlite folder, and that agents go on with it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runCommand } from '../../src/cli/cli.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import * as eliza from '../support/elizaos-database.js';

const MESSAGES = 250;

let folder: string;
let database: PGlite;
let test: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-elizaos-'));
  database = await PGlite.create(join(folder, '.elizadb'));
  await database.exec(eliza.elizaDatabase(MESSAGES));
  test = await createTestApp();
});
afterAll(async () => {
  await test.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command on the data of the application, which is stopped meanwhile. elizaOS keeps its database open. */
async function importFrom(address: string, ...options: string[]): Promise<{ code: number | undefined; out: string; err: string }> {
  const seen = { out: '', err: '' };
  await test.app.close();
  const program = { version: '0.0.0', config: () => Promise.resolve(test.config), start: () => Promise.resolve() };
  const code = await runCommand(['import', 'elizaos', address, ...options], program, {
    out: (text) => (seen.out += text),
    err: (text) => (seen.err += text),
  });
  await test.restart();
  return { code, ...seen };
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${test.url}${path}`);
  const { data } = (await response.json()) as { data: T };
  return data;
}

it('imports agents, channels, messages and memories, and reports skipped data', async () => {
  const { code, out } = await importFrom(join(folder, '.elizadb'));
  expect(code).toBe(0);
  const lines = out.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '));
  expect(lines).toEqual(
    expect.arrayContaining([
      'agents 2 added',
      'message servers 1 added, 1 there already',
      'channels 1 added',
      `messages ${MESSAGES} added`,
      'memories 2 added',
      expect.stringMatching(/^agent: Broken \(.*bio/),
      'memories of agents that were not taken',
      'memories of messages, because the agents remember the messages themselves',
      'Set the secrets of Eliza again, which elizaOS keeps encrypted: OPENAI_API_KEY.',
    ]),
  );
  const agents = await get<{ agents: { id: string; name: string; status: string }[] }>('/api/agents');
  expect(agents.agents.filter(({ id }) => id === eliza.ELIZA || id === eliza.SILENT)).toMatchObject([
    { name: 'Eliza', status: 'active' },
    { name: 'Silent', status: 'inactive' },
  ]);
  const page = await get<{ messages: { id: string; content: string; created_at?: string; createdAt?: unknown }[] }>(
    `/api/messaging/central-channels/${eliza.CHANNEL}/messages?limit=2`,
  );
  expect(page.messages.map(({ id, content }) => [id, content])).toEqual([
    [eliza.messageId(MESSAGES - 1), `message ${MESSAGES - 1}`],
    [eliza.messageId(MESSAGES - 2), `message ${MESSAGES - 2}`],
  ]);
  const { memories } = await get<{ memories: { id: string; type?: string; content: { text: string }; createdAt: number }[] }>(
    `/api/agents/${eliza.ELIZA}/memories?tableName=facts`,
  );
  expect(memories).toMatchObject([{ id: eliza.FACT, content: { text: 'Maya plays the cello.' }, createdAt: Date.UTC(2025, 1, 2) }]);
});

it('adds new data when repeated, and changes nothing else', async () => {
  await database.exec(`INSERT INTO central_messages (id, channel_id, author_id, content, created_at)
    VALUES ('${eliza.messageId(MESSAGES)}', '${eliza.CHANNEL}', '${eliza.USER}', 'one more', '2025-02-03')`);
  const { out } = await importFrom(join(folder, '.elizadb'));
  expect(out).toMatch(/messages +1 added, 250 there already/);
  expect(out).toMatch(/memories +0 added, 2 there already/);
});

it('lets the agent continue its conversation', async () => {
  test.model.reply('I remember.');
  const response = await fetch(`${test.url}/api/messaging/central-channels/${eliza.CHANNEL}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      author_id: eliza.USER,
      content: 'Do you remember?',
      message_server_id: eliza.SERVER,
      source_type: 'test',
      mode: 'sync',
    }),
  });
  expect(response.status).toBeLessThan(300);
  await test.model.called(1);
  const prompt = JSON.stringify(test.model.requests.at(-1));
  for (const said of ['message 249', 'message 248', 'one more', 'Do you remember?']) expect(prompt).toContain(said);
});

it('refuses a folder that is not a database of elizaOS 1.7, and changes nothing', async () => {
  expect(await importFrom(folder)).toMatchObject({ code: 1, err: expect.stringContaining('is no PGlite database') });
  const other = await PGlite.create(join(folder, 'other'));
  await other.exec('CREATE TABLE agents (id uuid PRIMARY KEY)');
  await other.close();
  expect(await importFrom(join(folder, 'other'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('no database of elizaOS 1.7: it lacks agents.enabled'),
  });
  expect(await importFrom('postgres://nobody@127.0.0.1:1/none')).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read') });
});
