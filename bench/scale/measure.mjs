// `npm run bench:scale -- --measure`: what the simulation takes as costs, on a PostgreSQL of its own.
import { readFile } from 'node:fs/promises';
import { processorOf, settle, startFleet, timedJob, warmUp } from '../fleet.mjs';
import { newestPostgres, startPostgres } from '../fleet/postgres.mjs';
import { measureMessages } from './measure-messages.mjs';
import { measureStatements } from './measure-statements.mjs';
import { descendantsMs, machineMs, preciseMs } from './processor.mjs';

const CALLERS = 16;
/** Turns per second that one caller takes at most, to open enough sessions. */
const ALONE = 40;
const CONDITIONS = [
  { size: 1, callers: CALLERS, spread: false },
  { size: 1, callers: 1, spread: false },
  { size: 2, callers: CALLERS, spread: false },
  { size: 4, callers: CALLERS, spread: false },
  { size: 4, callers: CALLERS, spread: true },
];

/** @param report gets each part when it has been measured */
export async function measure(workshop, report) {
  const bin = await newestPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed below /usr/lib/postgresql');
  const postgres = await startPostgres(bin, () => workshop.close());
  try {
    report(await measureMessages(await workshop.data(), workshop.smoke ? 0.02 : 1));
    const model = await workshop.model();
    const callers = workshop.role('callers');
    const fleets = new Map();
    for (const condition of CONDITIONS) {
      if (!fleets.has(condition.size)) {
        fleets.set(condition.size, await startFleet(workshop, postgres, model, condition.size));
        await warmUp(workshop, callers, fleets.get(condition.size));
      }
      const fleet = fleets.get(condition.size);
      report({
        load: await readFile('/proc/loadavg', 'utf8'),
        ...(await turns(workshop, postgres, callers, { ...condition, fleet, rate: condition.callers > 1 ? fleet.rate : ALONE })),
      });
      // On the rows of these turns, and before others take the machine.
      if (condition === CONDITIONS[0]) report(await measureStatements(workshop, postgres, 'fleet_1'));
    }
  } finally {
    await workshop.stopAll();
    await postgres.stop();
  }
}

async function turns(workshop, postgres, callers, condition) {
  const { fleet } = condition;
  const unopened = await stateOf(postgres, fleet);
  const job = await timedJob(workshop, condition);
  const opened = await stateOf(postgres, fleet);
  const sessions = job.conversations.flat().length / 8;
  await settle(workshop, fleet);
  const before = await stateOf(postgres, fleet);
  const loading = callers(job);
  const locks = await locksOf(postgres, fleet.database, loading);
  const load = await loading;
  // Idle connections end during the pause.
  const [backendMs, machine] = [await backendTimes(postgres, fleet.database), await machineMs()];
  const processesMs = await processorOf(fleet);
  const treeMs = await descendantsMs();
  await settle(workshop, fleet);
  const after = await stateOf(postgres, fleet);
  const each = (read) => (read(after) - read(before)) / load.count;
  const ours = treeMs - before.treeMs;
  const { size, spread, callers: count } = condition;
  return {
    size,
    callers: count,
    spread,
    turns: load.count,
    perSecond: load.perSecond,
    p50: load.p50,
    p99: load.p99,
    statements: each((state) => sum(state.statements, 'calls')),
    trips: each(({ trips }) => trips),
    execMs: each((state) => sum(state.statements, 'ms')),
    backendMs: spentSince(before.backendMs, backendMs) / load.count,
    processMs: each(({ processMs }) => processMs),
    loadMs: (ours - (processesMs - before.processMs) - spentSince(before.backendMs, backendMs)) / load.count,
    othersCores: (machine - before.machine - ours) / (1000 * load.seconds),
    locks,
    session: {
      statements: (sum(opened.statements, 'calls') - sum(unopened.statements, 'calls')) / sessions,
      trips: (opened.trips - unopened.trips) / sessions,
      backendMs: spentSince(unopened.backendMs, opened.backendMs) / sessions,
      walBytes: (opened.walBytes - unopened.walBytes) / sessions,
    },
    walBytes: each(({ walBytes }) => walBytes),
    // With several processes, the differences are in the numbers above.
    ...(size === 1 && count > 1 ? { texts: texts(before, after, load.count), tables: tables(before, after, load.count) } : {}),
  };
}

async function stateOf(postgres, fleet) {
  const { database } = fleet;
  const [{ bytes }] = await postgres.ask(database, `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`);
  const statements = await postgres.ask(
    'postgres',
    `SELECT queryid::text AS id, min(query) AS query, sum(calls)::float8 AS calls, sum(total_exec_time + total_plan_time)::float8 AS ms,
       sum(rows)::float8 AS rows
     FROM pg_stat_statements WHERE toplevel AND dbid = (SELECT oid FROM pg_database WHERE datname = '${database}') GROUP BY queryid`,
  );
  const found = await postgres.ask(
    database,
    `SELECT relname AS name, n_tup_ins::float8 AS inserted, n_tup_upd::float8 AS updated, n_tup_del::float8 AS deleted,
       pg_relation_size(relid)::float8 AS heap, pg_indexes_size(relid)::float8 AS indexes,
       (SELECT count(*) FROM pg_index WHERE indrelid = relid)::int AS index_count
     FROM pg_stat_user_tables`,
  );
  const { trips } = await fleet.proxy({ read: true });
  return {
    walBytes: bytes,
    statements,
    tables: found,
    trips,
    backendMs: await backendTimes(postgres, database),
    machine: await machineMs(),
    treeMs: await descendantsMs(),
    processMs: await processorOf(fleet),
  };
}

/** Locks of transactions that write, on average: all, and those in the shared table. */
async function locksOf(postgres, database, loading) {
  const done = new AbortController();
  const stop = () => done.abort();
  loading.then(stop, stop);
  const found = { samples: 0, writers: 0, all: 0, shared: 0 };
  while (!done.signal.aborted) {
    const [row] = await postgres.ask(
      database,
      `SELECT count(DISTINCT pid)::int AS writers, count(*)::int AS all, (count(*) FILTER (WHERE NOT fastpath))::int AS shared
       FROM pg_locks WHERE pid IN (SELECT pid FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND datname = '${database}')`,
    );
    found.samples += 1;
    for (const name of ['writers', 'all', 'shared']) found[name] += row[name];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return found;
}

async function backendTimes(postgres, database) {
  const rows = await postgres.ask(
    'postgres',
    `SELECT pid FROM pg_stat_activity WHERE datname = '${database}' AND application_name <> 'scale'`,
  );
  return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await preciseMs([pid])])));
}

function spentSince(before, after) {
  return [...after].reduce((all, [pid, ms]) => all + ms - (before.get(pid) ?? 0), 0);
}

function sum(rows, column) {
  return rows.reduce((all, row) => all + row[column], 0);
}

function texts(before, after, count) {
  const known = new Map(before.statements.map((row) => [row.id, row]));
  return after.statements
    .map(({ id, query, calls, ms, rows }) => {
      const old = known.get(id) ?? { calls: 0, ms: 0, rows: 0 };
      return {
        calls: (calls - old.calls) / count,
        ms: (ms - old.ms) / count,
        rows: (rows - old.rows) / count,
        query: query.replaceAll(/\s+/g, ' '),
      };
    })
    .filter(({ calls }) => calls > 0.05)
    .sort((a, b) => b.ms - a.ms)
    .map((row) => ({ ...row, query: `${row.query.slice(0, 70)} … ${row.query.slice(-120)}` }));
}

function tables(before, after, count) {
  const known = new Map(before.tables.map((row) => [row.name, row]));
  return after.tables
    .map((row) => {
      const old = known.get(row.name);
      const each = (column) => (row[column] - old[column]) / count;
      return {
        name: row.name,
        inserted: each('inserted'),
        updated: each('updated'),
        deleted: each('deleted'),
        heap: each('heap'),
        indexes: each('indexes'),
        count: row.index_count,
      };
    })
    .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0.02)
    .sort((a, b) => b.heap + b.indexes - a.heap - a.indexes);
}
