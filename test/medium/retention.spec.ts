// What keeps the database bounded: what is old goes, in steps that no writer waits long for, and what is not old stays.
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Reader, UnitOfWork } from '../../src/core/database/index.js';
import { JournalRetention } from '../../src/core/journal/index.js';
import { AgentLogRetention } from '../../src/modules/logs/agent-log-retention.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { serverEvents } from '../support/sse-client.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LARGEST_STEP = 5000;
const CHANNEL = 'aaaaaaaa-0000-0000-0000-000000000000';

const clock = new FakeClock();
let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ clock });
});
afterEach(() => test.close());

/** An instant as SQL. */
const ago = (ms: number): string => String(clock.now() - ms);

const count = async (table: string): Promise<number> =>
  Number((await test.app.get(Reader).rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);

/** Inserts so many rows; in the columns `?n` stands for the number of the row. */
async function fill(table: string, rows: number, columns: Record<string, string>): Promise<void> {
  const values = Object.values(columns).join(', ').replaceAll('?n', 'n');
  const sql = `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows}) SELECT ${values} FROM numbers`;
  await test.app.get(UnitOfWork).commit([{ sql, params: [] }]);
}

/** How many rows of a table each removal has removed since. */
function stepsOf(table: string): number[] {
  const unitOfWork = test.app.get(UnitOfWork);
  const commit = unitOfWork.commit.bind(unitOfWork);
  const steps: number[] = [];
  jest.spyOn(unitOfWork, 'commit').mockImplementation(async (statements) => {
    const removals = statements.map(({ sql }) => sql.startsWith(`DELETE FROM ${table}`));
    const outcomes = await commit(statements.map((statement, index) => (removals[index] ? { ...statement, counted: true } : statement)));
    outcomes.forEach(({ changed }, index) => removals[index] && changed > 0 && steps.push(changed));
    return outcomes;
  });
  return steps;
}

/** Lets time pass until a table has so many rows. */
async function untilLeft(table: string, rows: number): Promise<void> {
  while ((await count(table)) !== rows) clock.advance(1000);
}

function expectBounded(steps: readonly number[], removed: number): void {
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(removed);
  expect(Math.max(...steps)).toBeLessThanOrEqual(LARGEST_STEP);
}

it('the journal: entries older than JOURNAL_RETENTION_HOURS are deleted, and a stream that needs them gets a gap', async () => {
  await test.app.get(UnitOfWork).commit([{ sql: 'DELETE FROM journal', params: [] }]);
  const row = { pos: '?n', channel_id: `'${CHANNEL}'`, seq: '?n', type: `'channel.cleared'`, payload: `'{"channelId":"${CHANNEL}"}'` };
  await fill('journal', 12_000, { ...row, at: ago(test.config.journalRetentionHours * HOUR + 1) });
  await fill('journal', 10, { ...row, pos: '12000 + ?n', seq: '12000 + ?n', at: ago(0) });
  const steps = stepsOf('journal');
  await test.app.get(JournalRetention).sweep();
  expectBounded(steps, 12_000);
  expect(await count('journal')).toBe(10);

  const channel = { server_id: `'00000000-0000-0000-0000-000000000000'`, name: `'x'`, type: `'text'`, channel_type: `'GROUP'` };
  const rest = { metadata: `'{}'`, turn_policy: `'enqueue'`, created_at: '0', updated_at: '0' };
  await fill('channels', 1, { id: `'${CHANNEL}'`, ...channel, ...rest });
  const gone = new AbortController();
  const url = `${test.url}/api/messaging/channels/${CHANNEL}/events?lastEventId=7`;
  const heard: { event: string; data: unknown }[] = [];
  for await (const { event, data } of serverEvents(await fetch(url, { signal: gone.signal }))) {
    heard.push({ event, data });
    if (heard.length === 2) break;
  }
  gone.abort();
  expect(heard.map(({ event }) => event)).toEqual(['ready', 'gap']);
  expect(heard[1]?.data).toEqual({ from: 7, to: 12_000 });
});

it('agent logs: entries older than AGENT_LOG_RETENTION_HOURS are deleted', async () => {
  const row = { id: `'log-' || ?n`, agent_id: `'${ADA.id}'`, type: `'log'`, level: '30', body: `'{}'` };
  await fill('agent_logs', 12_000, { ...row, created_at: ago(test.config.agentLogRetentionHours * HOUR) });
  await fill('agent_logs', 10, { ...row, id: `'new-' || ?n`, created_at: ago(0) });
  const steps = stepsOf('agent_logs');
  await test.app.get(AgentLogRetention).sweep();
  expectBounded(steps, 12_000);
  expect(await count('agent_logs')).toBe(10);
});

it('webhook deliveries: the content of handled ones is deleted after a day, the rest after a week, dead ones after a month [webhooks.retention]', async () => {
  const made = async (rows: number, status: string, age: number): Promise<void> => {
    const id = `'${status}-${age}-' || ?n`;
    const content = { request: `'{}'`, body: `'Ym9keQ=='`, created_at: ago(age), updated_at: ago(age) };
    const row = { plugin: `'p'`, route: `'POST /p'`, agent_id: `'${ADA.id}'`, mode: `'ack'`, attempts: '1', status: `'${status}'` };
    await fill('webhook_deliveries', rows, { id, dedupe_key: id, ...row, ...content });
  };
  await made(10, 'done', DAY - HOUR);
  await made(3000, 'done', DAY + HOUR);
  await made(6000, 'done', 8 * DAY);
  await made(10, 'dead', 29 * DAY);
  await made(6000, 'dead', 31 * DAY);
  const steps = stepsOf('webhook_deliveries');
  await untilLeft('webhook_deliveries', 10 + 3000 + 10);
  await untilLeft('webhook_deliveries WHERE request IS NOT NULL', 10 + 10);
  expectBounded(steps, 12_000);
});

it('responses to requests with an Idempotency-Key: those older than IDEMPOTENCY_HOURS are deleted', async () => {
  const row = { fingerprint: `''`, attempt: `''`, lease_until: '0', written: '1', status: '201', response: `''` };
  await fill('idempotency_keys', 12_000, { id: `'key-' || ?n`, ...row, created_at: ago(test.config.idempotencyHours * HOUR) });
  await fill('idempotency_keys', 10, { id: `'new-' || ?n`, ...row, created_at: ago(0) });
  const steps = stepsOf('idempotency_keys');
  await untilLeft('idempotency_keys', 10);
  expectBounded(steps, 12_000);
});
