import type { DataSource, QueryRunner } from 'typeorm';
import { isOlder } from './versions.js';

/** How often a server announces its version, ms. */
export const ANNOUNCE_MS = 2000;
/** A server that has not been seen for so long has ended, or is cut off. */
const MIN_UNSEEN_MS = 3 * ANNOUNCE_MS;

const PREFIX = 'parley ';
const HAS_TABLE = `SELECT 1 WHERE to_regclass('server_versions') IS NOT NULL`;
// Servers of one version share a row. The statement waits for a contraction, also when it writes nothing.
const ANNOUNCE = `INSERT INTO server_versions AS v (version, seen_at) VALUES ($1, clock_timestamp())
  ON CONFLICT (version) DO UPDATE SET seen_at = excluded.seen_at WHERE v.seen_at < clock_timestamp() - interval '1 second'`;
const SEEN = `SELECT version FROM server_versions WHERE seen_at > clock_timestamp() - $1 * interval '1 millisecond'
  UNION SELECT substr(application_name, ${PREFIX.length + 1}) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE '${PREFIX}%'`;

/** The `application_name` of a server's connections, by which others know its version at once. A pooler does not show it. */
export function applicationName(version: string): string {
  return `${PREFIX}${version}`;
}

/** Announces on PostgreSQL that a server of a version uses the database, unless that has no tables yet. */
export async function announce(database: Pick<DataSource | QueryRunner, 'query'>, version: string): Promise<void> {
  const found = (await database.query(HAS_TABLE)) as unknown[];
  if (found.length > 0) await database.query(ANNOUNCE, [version]);
}

/**
 * Holds up the announcements until the transaction ends: a server that starts meanwhile reads what the transaction wrote, and not what was
 * there before.
 */
export async function holdAnnouncements(runner: QueryRunner): Promise<void> {
  await runner.query('LOCK TABLE server_versions IN SHARE ROW EXCLUSIVE MODE');
}

/** Whether a server of a version before `version` uses the database, or has been seen within `ms`. */
export async function hasOlderServer(runner: QueryRunner, version: string, ms: number): Promise<boolean> {
  const rows = (await runner.query(SEEN, [Math.max(ms, MIN_UNSEEN_MS)])) as { version: string }[];
  return rows.some((row) => isOlder(row.version, version));
}

/** Counts the time since the servers were seen from now on. */
export async function touchVersions(runner: QueryRunner): Promise<void> {
  await runner.query('UPDATE server_versions SET seen_at = clock_timestamp()');
}
