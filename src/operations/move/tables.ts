import type { ColumnShape, Connection, TableShape } from '../../core/database/index.js';
import { shardOf } from '../../core/database/index.js';
import { isEverywhere } from '../../core/journal/events.js';
import { valueOf, type Value } from './values.js';

/** A row with the values that both engines have. */
export type MovedRow = Record<string, unknown>;

const MAX_ROWS = 500;
// Of the texts of a batch, in the memory of this process several times.
const MAX_BYTES = 4 * 1024 * 1024;
// SQLite takes 32,766 parameters.
const MAX_PARAMS = 32_000;

/** The tables, each after those that its rows refer to. @param foreignKeys targets by table */
export function inOrder(tables: readonly TableShape[], foreignKeys: ReadonlyMap<string, readonly string[]>): TableShape[] {
  const ordered: TableShape[] = [];
  const visit = (table: TableShape): void => {
    if (ordered.includes(table)) return;
    for (const name of foreignKeys.get(table.name) ?? []) {
      const target = tables.find((other) => other.name === name && other !== table);
      if (target) visit(target);
    }
    ordered.push(table);
  };
  tables.forEach(visit);
  return ordered;
}

/** The tables that the foreign keys of a SQLite database refer to, by table. PostgreSQL has triggers in place of some of them. */
export async function foreignKeysOf(sqlite: Connection, tables: readonly TableShape[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const { name } of tables) {
    const keys = await sqlite.rows<{ table: string }>(`PRAGMA foreign_key_list("${name}")`);
    found.set(
      name,
      keys.map(({ table }) => table),
    );
  }
  return found;
}

export async function countRows(connection: Connection, { name }: TableShape): Promise<number> {
  const [row] = await connection.rows<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`);
  return Number(row?.n ?? 0);
}

/** The rows that follow a key in the order of the primary key, of at most 500 rows and about 4 MB. @param after key of the last row before */
export async function readBatch(connection: Connection, table: TableShape, after: readonly Value[] | undefined): Promise<MovedRow[]> {
  const keys = table.key.map(({ name }) => `"${name}"`).join(', ');
  const from = `FROM "${table.name}" ${after ? `WHERE (${keys}) > (${after.map(() => '?').join(', ')})` : ''} ORDER BY ${keys}`;
  const most = Math.min(MAX_ROWS, Math.floor(MAX_PARAMS / table.columns.length));
  const texts = table.columns.filter(({ type }) => type === 'text');
  let limit = most;
  if (texts.length > 0) {
    // Both engines know the length of a text without reading it.
    const bytes = texts.map(({ name }) => `coalesce(octet_length("${name}"), 0)`).join(' + ');
    const sizes = await connection.rows<{ bytes: number }>(`SELECT ${bytes} AS bytes ${from} LIMIT ${most}`, after);
    limit = fitting(sizes.map((row) => Number(row.bytes)));
  }
  if (limit === 0) return [];
  const columns = table.columns.map(({ name }) => `"${name}"`).join(', ');
  const rows = await connection.rows(`SELECT ${columns} ${from} LIMIT ${limit}`, after);
  return rows.map((row) => withValues(table, row));
}

/** The rows with the same keys as these, by `keyText`. */
export async function readSame(
  connection: Connection,
  table: TableShape,
  rows: readonly MovedRow[],
): Promise<ReadonlyMap<string, MovedRow>> {
  const columns = table.columns.map(({ name }) => `"${name}"`).join(', ');
  const keys = table.key.map(({ name }) => `"${name}"`).join(', ');
  const { sql, params } = listOf(connection, table.key, rows);
  const found = await connection.rows(`SELECT ${columns} FROM "${table.name}" WHERE (${keys}) IN (${sql})`, params);
  return new Map(found.map((row) => [keyText(table, row), withValues(table, row)]));
}

export async function insertRows(connection: Connection, table: TableShape, rows: readonly MovedRow[]): Promise<void> {
  const columns = table.columns.map(({ name }) => `"${name}"`).join(', ');
  const { sql, params } = listOf(connection, table.columns, rows);
  await connection.rows(`INSERT INTO "${table.name}" (${columns}) ${sql}`, params);
}

/** A query that returns these columns of the rows. */
function listOf(connection: Connection, columns: readonly ColumnShape[], rows: readonly MovedRow[]): { sql: string; params: unknown[] } {
  if (connection.engine === 'postgres') {
    // Not varchar(n): a cast to it would shorten the text.
    const arrays = columns.map(({ type }) => `?::${type === 'varchar' ? 'text' : type}[]`);
    return { sql: `SELECT * FROM unnest(${arrays.join(', ')})`, params: columns.map(({ name }) => rows.map((row) => row[name])) };
  }
  const places = `(${columns.map(() => '?').join(', ')})`;
  return { sql: `VALUES ${rows.map(() => places).join(', ')}`, params: rows.flatMap((row) => columns.map(({ name }) => row[name])) };
}

/** The row as it has to be in the target. */
export function adapted(row: MovedRow, table: TableShape, target: Connection): MovedRow {
  if (table.name !== 'journal') return row;
  const channelId = row['channel_id'] as string | null;
  return { ...row, shard: target.engine === 'postgres' ? shardOf(channelId, isEverywhere(row['type'] as never)) : null };
}

export function keyOf(table: TableShape, row: MovedRow): Value[] {
  return table.key.map(({ name }) => row[name] as Value);
}

/** The key of a row, to compare and to show. */
export function keyText(table: TableShape, row: MovedRow): string {
  return keyOf(table, row).join(' ');
}

function withValues(table: TableShape, row: MovedRow): MovedRow {
  return Object.fromEntries(table.columns.map((column) => [column.name, valueOf(column, row[column.name])]));
}

/** How many of the first rows fit in a batch; at least one. */
function fitting(sizes: readonly number[]): number {
  let sum = 0;
  const full = sizes.findIndex((size) => (sum += size) > MAX_BYTES);
  return full === -1 ? sizes.length : Math.max(1, full);
}
