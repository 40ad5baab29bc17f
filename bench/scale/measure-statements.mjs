// Costs of single statements: the horizon, heads, notifications, draws, running replies, flushes, retention.
import pg from 'pg';
import { median } from '../support/statistics.mjs';
import { measureReplies } from './measure-replies.mjs';
import { preciseMs } from './processor.mjs';

// The build is there when a bench runs, and need not be when imports are checked.
const DIST = new URL('../../dist/', import.meta.url);

const MARK_CLASS = 7_072_603;
const CONNECTIONS = 120;
const ROWS = 200_000;
const PAGE = 5000;

export async function measureStatements(workshop, postgres, database) {
  const small = workshop.smoke ? 0.02 : 1;
  const { HORIZON } = await import(new URL('core/journal/horizon.js', DIST).href);
  const clients = await Promise.all(Array.from({ length: CONNECTIONS + 1 }, () => connect(postgres.port, database)));
  const [main, ...others] = clients;
  try {
    const empty = await middle(main, 'SELECT 1', [], 200);
    const horizon = [];
    for (const marks of [0, 30, CONNECTIONS]) {
      for (const client of others.slice(0, marks)) {
        await client.query('BEGIN');
        await client.query(`SELECT pg_advisory_xact_lock_shared(${MARK_CLASS}, $1)`, [others.indexOf(client)]);
      }
      horizon.push({ marks, connections: CONNECTIONS, ms: (await middle(main, HORIZON, [], 60)) - empty });
      for (const client of others.slice(0, marks)) await client.query('ROLLBACK');
    }
    const alone = await notifications(main, [], 400 * small);
    const listened = await notifications(main, others.slice(0, 50), 400 * small);
    for (const client of others) await client.end();
    return {
      emptyMs: empty,
      horizon,
      notify: { alone, listened },
      heads: await heads(main, empty),
      drawUs:
        (1000 * (await timed(main, `SELECT count(nextval('journal_pos')) FROM generate_series(1, ${200_000 * small})`))) /
        (200_000 * small),
      ...(await measureReplies(postgres.port, database, small)),
      flushMs: await flush(main, Math.ceil(150 * small)),
      ...(await retention(main, Math.ceil(ROWS * small))),
    };
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** Time on the database's processor for each notification, with so many connections that listen. */
async function notifications(client, listeners, count) {
  let received = 0;
  for (const listener of listeners) {
    listener.on('notification', () => (received += 1));
    await listener.query('LISTEN scale');
  }
  const pids = [client, ...listeners].map(({ processID }) => processID);
  const before = await preciseMs(pids);
  const begin = performance.now();
  for (let index = 0; index < count; index += 1) {
    await client.query({
      name: 'notify',
      text: `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`,
      values: ['scale', `sender ${String(index).padStart(8, '0')}`],
    });
  }
  const ms = (performance.now() - begin) / count;
  while (received < count * listeners.length) await new Promise((resolve) => setTimeout(resolve, 5));
  return { ms, processorMs: ((await preciseMs(pids)) - before) / count, listeners: listeners.length };
}

async function heads(client, empty) {
  await client.query(`INSERT INTO journal_heads (channel_id, seq, pos, changed) SELECT id::text, 0, 0, 0 FROM unnest($1::uuid[]) id`, [
    ids(10_000),
  ]);
  await client.query('ANALYZE journal_heads');
  const values = [JSON.stringify(Object.fromEntries(ids(10_000).map((id) => [id, 0])))];
  const ms = await middle(
    client,
    'SELECT channel_id, pos FROM journal_heads WHERE channel_id IN (SELECT key FROM json_each($1))',
    values,
    10,
  );
  return { channels: 10_000, ms: ms - empty };
}

async function lsnOf(client) {
  return Number((await client.query(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes`)).rows[0].bytes);
}

async function flush(client, count) {
  await client.query('CREATE TABLE flushed (id int)');
  const each = async (mode) => {
    await client.query(`SET synchronous_commit = ${mode}`);
    const times = [];
    for (let index = 0; index < count; index += 1) {
      const begin = performance.now();
      await client.query('INSERT INTO flushed VALUES (1)');
      times.push(performance.now() - begin);
    }
    return median(times);
  };
  const [without, flushed] = [await each('off'), await each('on')];
  return flushed - without;
}

/** Deleting by pages, as JournalRetention does, against dropping a partition; and what partitions cost an insertion. */
async function retention(client, rows) {
  await client.query('SET synchronous_commit = off');
  await client.query('CREATE TABLE kept (LIKE journal INCLUDING ALL)');
  await client.query('CREATE TABLE parted (LIKE journal INCLUDING DEFAULTS) PARTITION BY RANGE (pos)');
  await client.query('ALTER TABLE parted ADD PRIMARY KEY (pos)');
  await client.query('CREATE INDEX ON parted (channel_id, pos)');
  await client.query('CREATE INDEX ON parted (pos) WHERE shard = -1');
  for (let part = 0; part < 10; part += 1) {
    await client.query(
      `CREATE TABLE part_${part} PARTITION OF parted FOR VALUES FROM (${part * 10_000_000}) TO (${(part + 1) * 10_000_000})`,
    );
  }
  const channels = Math.ceil(rows / 60);
  const insert = (table) => `INSERT INTO ${table} (pos, channel_id, seq, type, payload, at, shard)
    SELECT i, md5((i % ${channels})::text)::uuid::text, i / ${channels}, 'message.chunk', repeat('x', 400), 0, i % 256 FROM generate_series(1, ${rows}) i`;
  const [plain, routed] = [await timed(client, insert('kept')), await timed(client, insert('parted'))];
  const [{ heap, indexes }] = (
    await client.query(`SELECT pg_relation_size('kept')::float8 AS heap, pg_indexes_size('kept')::float8 AS indexes`)
  ).rows;
  await client.query('ANALYZE kept');
  const before = await lsnOf(client);
  const begin = await preciseMs([client.processID]);
  const deleted = Math.floor(rows / 2);
  for (let from = 0; from < deleted; from += PAGE) {
    await client.query('SELECT pos, at FROM kept WHERE pos > $1 ORDER BY pos LIMIT 5000', [from]);
    await client.query(
      `DELETE FROM kept WHERE pos > $1 AND pos <= $2 AND CASE WHEN channel_id IS NULL
        THEN EXISTS (SELECT 1 FROM kept later WHERE later.pos > kept.pos)
        ELSE EXISTS (SELECT 1 FROM kept later WHERE later.channel_id = kept.channel_id AND later.pos > kept.pos) END`,
      [from, Math.min(from + PAGE, deleted)],
    );
  }
  const deleteMs = (await preciseMs([client.processID])) - begin;
  const walBytes = (await lsnOf(client)) - before;
  const vacuumMs = await timed(client, 'VACUUM kept');
  await client.query('ALTER TABLE parted DETACH PARTITION part_0');
  const dropMs = await timed(client, 'DROP TABLE part_0');
  const per = (value, count) => value / count;
  return {
    retention: {
      rows: deleted,
      deleteUs: 1000 * per(deleteMs, deleted),
      vacuumUs: 1000 * per(vacuumMs, deleted),
      deleteWalBytes: per(walBytes, deleted),
      dropMs,
      insertUs: 1000 * per(plain, rows),
      insertPartitionedUs: 1000 * per(routed, rows),
      heapBytes: per(heap, rows),
      indexBytes: per(indexes, rows),
    },
  };
}

function ids(count) {
  return Array.from(
    { length: count },
    (_, index) => `a0be23e7-20a1-4d33-b0ad-${(0x1e28d3ada06b + index * 7919).toString(16).padStart(12, '0')}`,
  );
}

async function connect(port, database) {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Processor time of a query, ms. The machine may have other work, so elapsed time says less. */
async function timed(client, text, values) {
  const before = await preciseMs([client.processID]);
  await client.query(text, values);
  return (await preciseMs([client.processID])) - before;
}

/** Processor time of a prepared query, ms. */
async function middle(client, text, values, rounds) {
  const query = { name: text.slice(0, 60), text, values };
  // From the sixth use on, the plan may stay.
  for (let round = 0; round < 6; round += 1) await client.query(query);
  const before = await preciseMs([client.processID]);
  for (let round = 0; round < rounds; round += 1) await client.query(query);
  return ((await preciseMs([client.processID])) - before) / rounds;
}
