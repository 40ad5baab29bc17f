import { randomUUID } from 'node:crypto';
import type { ColumnShape, Connection, TableShape } from '../../src/core/database/index.js';
import { foreignKeysOf, inOrder, insertRows, type MovedRow } from '../../src/operations/move/tables.js';

// What a copy may get wrong: quotes and backslashes of literals, escapes of JSON, characters beyond 16 bits, line ends, empty text.
const TEXTS = ['', `'"\\{}\\N,`, '{"text":"\\u0000 \\ud800"}', 'Ω 漢字 e\u0301', '\r\n\t', '{"text":"a memory","n":1}', 'NULL', '\uFFFD'];
const LONG = 'a long text '.repeat(30_000);

interface ForeignKey {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** Fills every table of a SQLite database with rows that belong together, with values that are awkward to copy. */
export async function fillTables(sqlite: Connection, rows: number): Promise<void> {
  const written = new Map<string, MovedRow[]>();
  for (const table of inOrder(sqlite.tables, await foreignKeysOf(sqlite, sqlite.tables))) {
    const keys = await sqlite.rows<ForeignKey>(`PRAGMA foreign_key_list("${table.name}")`);
    const info = await sqlite.rows<{ name: string; notnull: number }>(`PRAGMA table_info("${table.name}")`);
    const optional = new Set(info.filter(({ notnull }) => notnull === 0).map(({ name }) => name));
    const made = Array.from({ length: rows }, (_, index) => rowOf(table, index, optional, keys, written));
    written.set(table.name, made);
    await sqlite.rows(`DELETE FROM "${table.name}"`);
    await insertRows(sqlite, table, made);
  }
}

function rowOf(
  table: TableShape,
  index: number,
  optional: ReadonlySet<string>,
  keys: readonly ForeignKey[],
  written: ReadonlyMap<string, MovedRow[]>,
): MovedRow {
  const row: MovedRow = {};
  for (const column of table.columns) row[column.name] = valueOf(column, index, optional.has(column.name) && !table.key.includes(column));
  for (const { table: parent, from, to } of keys) row[from] = written.get(parent)?.[index]?.[to];
  // Only PostgreSQL has it.
  if (table.name === 'journal') row['shard'] = null;
  return row;
}

function valueOf({ name, type, length }: ColumnShape, index: number, isOptional: boolean): unknown {
  if (isOptional && index % 3 === 0) return null;
  switch (type) {
    case 'boolean':
      return index % 2 === 0;
    case 'bigint':
      return index === 1 ? Number.MAX_SAFE_INTEGER - 1 : index + 1;
    case 'integer':
      return index === 1 ? 2 ** 31 - 1 : index;
    case 'text':
      return index === 2 ? LONG : `${TEXTS[index % TEXTS.length]}`;
    case 'varchar':
      if (length === 36) return randomUUID();
      // As many characters as it may have, of two UTF-16 units each.
      return index === 1 ? '😀'.repeat(length) : `${index} ${name} ${TEXTS[index % TEXTS.length]}`.slice(0, length);
  }
}
