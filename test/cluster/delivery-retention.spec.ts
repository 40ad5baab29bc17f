// What retention deletes is decided by what a delivery is, not by what it was when retention found it.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Reader } from '../../src/core/database/index.js';
import { newId } from '../../src/core/ids/index.js';
import { DeliveriesRepository } from '../../src/modules/plugins/webhooks/deliveries.repository.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { eventually } from '../support/memory-app.js';

const LATER = 1_000_000;
const BLOCKED = 'SELECT 1 FROM pg_stat_activity WHERE pg_blocking_pids(pid) @> ARRAY[CAST(? AS integer)]';

let test: TestApp;
/** Replays a delivery in a transaction of its own. */
let other: Client;

beforeEach(async () => {
  test = await createTestApp({ engine: 'postgres' });
  other = new Client({ connectionString: test.config.databaseUrl });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await test.close();
});

it.each(['done', 'dead'])('a %s delivery that is replayed during retention keeps its content', async (status) => {
  const id = newId();
  await other.query(
    `INSERT INTO webhook_deliveries (id, plugin, route, agent_id, mode, dedupe_key, status, attempts, request, body, created_at, updated_at)
      VALUES ($1, 'hooks', 'POST /ack', $1, 'ack', $1, $2, 1, '{}', '', 0, 0)`,
    [id, status],
  );
  await other.query('BEGIN');
  await other.query(`UPDATE webhook_deliveries SET status = 'received' WHERE id = $1`, [id]);
  const limits = { contentBefore: LATER, doneBefore: LATER, deadBefore: LATER };
  const swept = test.app.get(DeliveriesRepository, { strict: false }).sweep(limits);
  const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await eventually(async () => (await test.app.get(Reader).rows(BLOCKED, [rows[0]!.pid])).length > 0);
  await other.query('COMMIT');
  await swept;
  const { rows: kept } = await other.query('SELECT status, request FROM webhook_deliveries WHERE id = $1', [id]);
  expect(kept).toEqual([{ status: 'received', request: '{}' }]);
});
