// The records that faults of the server leave.
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { Hooks } from '../../src/core/hooks/index.js';
import { Log } from '../../src/core/logging/index.js';
import { FaultRecorder } from '../../src/modules/diagnostics/index.js';
import { createTestApp, ADA, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';

const KEY = 'an-administrator-key-of-the-tests';
const HOUR_MS = 3_600_000;

let test: TestApp;
let clock: FakeClock;

beforeAll(async () => {
  clock = new FakeClock();
  test = await createTestApp({ clock, env: { FAULT_RECORDS: '3', MEMORY_MARK_MB: '1', API_KEY: KEY } });
});
afterAll(() => test.close());
beforeEach(() => {
  // What one test leaves is no repetition of another's.
  clock.advance(2 * HOUR_MS);
});

const call = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${test.url}${path}`, { headers: { 'x-api-key': KEY, ...headers } });

async function records(): Promise<Record<string, unknown>[]> {
  const folder = join(test.config.dataDir, 'faults');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  // The oldest may be deleted meanwhile.
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => 'null')));
  return texts.map((text) => JSON.parse(text) as Record<string, unknown> | null).filter((record) => record !== null);
}

/** Waits for a record, which is written in the background. @param everyMs moves the clock */
async function appears(matches: (record: Record<string, unknown>) => boolean, everyMs = 0): Promise<Record<string, unknown>> {
  for (;;) {
    const found = (await records()).findLast(matches);
    if (found) return found;
    clock.advance(everyMs);
    await new Promise(setImmediate);
  }
}

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${test.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const execute = (sql: string): Promise<unknown> => test.app.get(UnitOfWork).commit([{ sql, params: [] }]);

it('a failed request is recorded once, with its log lines, evidence and no secret', async () => {
  await execute('ALTER TABLE audit_log RENAME TO audit_log_elsewhere');
  const first = await call('/api/audit', { 'x-request-id': 'the-first-request' });
  expect(first.status).toBe(500);
  expect((await call('/api/audit')).status).toBe(500);
  await execute('ALTER TABLE audit_log_elsewhere RENAME TO audit_log');
  const record = await appears(({ kind }) => kind === 'error');
  expect(record).toMatchObject({
    title: expect.stringMatching(/^http: GET \/api\/audit: /),
    requestId: 'the-first-request',
    details: { method: 'GET', path: '/api/audit' },
    error: { stack: expect.stringContaining('audit_log') },
    program: { version: '0.0.0', database: 'sqlite', node: process.version },
    configuration: { API_KEY: '[hidden]', FAULT_RECORDS: 3 },
    evidence: { journal: { head: expect.any(Number), floor: 0, tail: expect.any(Number) }, turns: { running: 0, attempts: [] } },
    memory: { rss: expect.any(Number) },
    heap: { heap_size_limit: expect.any(Number) },
  });
  expect(record['requestLog']).toEqual(
    expect.arrayContaining([expect.objectContaining({ level: 'error', requestId: 'the-first-request' })]),
  );
  expect(JSON.stringify(record)).not.toContain(KEY);
  expect((await records()).filter((each) => each['title'] === record['title'])).toHaveLength(1);

  const { data } = (await (await call('/api/server/problems')).json()) as {
    data: { problems: { kind: string; count: number; message: string }[] };
  };
  expect(data.problems.filter(({ message }) => message === record['title'])).toMatchObject([{ kind: 'fault', count: 2 }]);
});

it('memory above its threshold is recorded once, until it has fallen', async () => {
  expect(await appears(({ kind }) => kind === 'memory', 10_000)).toMatchObject({
    title: expect.stringMatching(/^The server uses \d+ MB of memory, more than MEMORY_MARK_MB \(1\)\.$/),
  });
});

it('the data of a streamed conversation has no inconsistency', async () => {
  test.model.deltas(['one', ' two', ' three']);
  const { sessionId } = (await (await post('/api/messaging/sessions', { agentId: ADA.id, userId: randomUUID() })).json()) as {
    sessionId: string;
  };
  await (await post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Count.', transport: 'sse' })).text();
  const invariants = test.app.get(Hooks).of('invariants');
  expect(invariants.map(({ name }) => name).sort()).toEqual(['journal.sequence', 'turns.order']);
  for (const invariant of invariants) expect(await invariant.violation()).toBeUndefined();
});

it('inconsistent stored data is recorded', async () => {
  await execute(`INSERT INTO journal (pos, channel_id, seq, type, payload, at) VALUES
    ((SELECT coalesce(max(pos), 0) + 1 FROM journal), '${ADA.id}', 1, 'test', '{}', 0),
    ((SELECT coalesce(max(pos), 0) + 2 FROM journal), '${ADA.id}', 3, 'test', '{}', 0)`);
  expect(await appears(({ kind }) => kind === 'invariant', 600_000)).toMatchObject({
    details: { invariant: 'journal.sequence', violation: expect.stringContaining('has number 3 after 1') },
  });
  await execute("DELETE FROM journal WHERE type = 'test'");
});

it('the faults of the last day are listed after a restart', async () => {
  const faults = async (): Promise<string[]> => {
    const { data } = (await (await call('/api/server/problems')).json()) as { data: { problems: { kind: string; message: string }[] } };
    return data.problems.filter(({ kind }) => kind === 'fault').map(({ message }) => message);
  };
  await test.restart();
  let shown = await faults();
  while (shown.length < 3) shown = await faults();
  expect(shown).toEqual(expect.arrayContaining([expect.stringContaining('journal.sequence')]));
  clock.advance(24 * HOUR_MS);
  await test.restart();
  expect((await faults()).filter((message) => message.includes('journal.sequence'))).toEqual([]);
});

it('the newest FAULT_RECORDS records are kept, with limited size', async () => {
  const recorder = test.app.get(FaultRecorder);
  for (let count = 1; count <= 5; count += 1) {
    recorder.record({ kind: 'error', title: `fault ${count}`, signature: `fault ${count}`, details: { text: 'x'.repeat(1_000_000) } });
  }
  await appears(({ title }) => title === 'fault 5');
  const kept = await records();
  expect(kept.map(({ title }) => title)).toEqual(['fault 3', 'fault 4', 'fault 5']);
  for (const each of kept) expect(JSON.stringify(each).length).toBeLessThan(300_000);
});

it('a record that cannot be stored fails no caller, and long ones are shortened', async () => {
  const log = new Log('test');
  log.error('a value that is no JSON', undefined, { count: 1n });
  log.error('a long error', new Error('x'.repeat(1_000_000)));
  const record = await appears(({ title }) => String(title).includes('a long error'));
  expect(JSON.stringify(record).length).toBeLessThan(300_000);
  expect((await records()).some(({ title }) => String(title).includes('no JSON'))).toBe(false);
});
