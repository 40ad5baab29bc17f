import pg from 'pg';

// https://www.postgresql.org/docs/current/amcheck.html; reading every table verifies the checksums of its pages, too.
const INDEXES = `SELECT c.relname AS name, bt_index_parent_check(i.indexrelid, true, true)::text
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
  WHERE a.amname = 'btree' AND c.relpersistence <> 't' AND i.indisvalid`;
const TABLES = `SELECT c.relname AS name, v.blkno, v.msg
  FROM pg_class c, LATERAL verify_heapam(c.oid, check_toast := true) v WHERE c.relkind IN ('r', 't', 'm')`;

/** Checks all tables and indexes of a database with amcheck. @returns what is not in order */
export async function checkPostgres(port: number): Promise<string[]> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  try {
    await client.connect();
    await client.query('CREATE EXTENSION IF NOT EXISTS amcheck');
    await client.query(INDEXES);
    const { rows } = await client.query<{ name: string; blkno: string; msg: string }>(TABLES);
    return rows.map(({ name, blkno, msg }) => `table ${name}, block ${blkno}: ${msg}`);
  } catch (error) {
    return [`the database fails its check: ${String(error)}`];
  } finally {
    await client.end();
  }
}
