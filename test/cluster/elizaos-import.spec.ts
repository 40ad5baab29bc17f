// "parley import elizaos" out of PostgreSQL, into PostgreSQL.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { runCommand } from '../../src/cli/cli.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import * as eliza from '../support/elizaos-database.js';
import { POSTGRES } from '../support/test-store.js';

const MESSAGES = 120;
const database = `parley_eliza_${randomBytes(6).toString('hex')}`;

let test: TestApp;

async function onServer(name: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${POSTGRES}/${name}` });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

beforeAll(async () => {
  await onServer('test', `CREATE DATABASE ${database}`);
  await onServer(database, eliza.elizaDatabase(MESSAGES));
  test = await createTestApp({ engine: 'postgres' });
});
afterAll(async () => {
  await test.close();
  await onServer('test', `DROP DATABASE ${database} WITH (FORCE)`);
});

it('imports the same data as from a PGlite folder', async () => {
  await test.app.close();
  let said = '';
  const program = { version: '0.0.0', config: () => Promise.resolve(test.config), start: () => Promise.resolve() };
  const terminal = { out: (text: string) => (said += text), err: () => undefined };
  expect(await runCommand(['import', 'elizaos', `${POSTGRES}/${database}`], program, terminal)).toBe(0);
  await test.restart();
  for (const row of [/agents +2 added/, new RegExp(`messages +${MESSAGES} added`), /memories +2 added/]) expect(said).toMatch(row);
  const response = await fetch(`${test.url}/api/messaging/central-channels/${eliza.CHANNEL}/messages?limit=1`);
  const { data } = (await response.json()) as { data: { messages: { id: string; content: string }[] } };
  expect(data.messages).toMatchObject([{ id: eliza.messageId(MESSAGES - 1), content: `message ${MESSAGES - 1}` }]);
});
