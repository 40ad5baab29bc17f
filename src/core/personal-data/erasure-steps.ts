import { idKeys, type Reader, type ReadQuery, type Row, type SqlValue, type Transaction } from '../database/index.js';
import { textsAbout, type ErasedBatch, type Erasure, type ErasureParams, type ErasureStep, type PersonalRecord } from './personal-data.js';

/** Rows that one batch looks at. */
const SCANNED = 1000;
const PAGE = 200;

interface Rows {
  readonly table: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
}

type StepName = Pick<ErasureStep, 'kind' | 'effect' | 'order'>;

/** The bounds of the next batch in the order of the primary key, as a condition. */
async function nextRange(
  tx: Transaction,
  { table, key }: Rows,
  after: string,
): Promise<{ where: string; params: SqlValue[]; next: string | null }> {
  const columns = key.map((column) => `"${column}"`).join(', ');
  const marks = key.map(() => '?').join(', ');
  const from = after === '' ? [] : (JSON.parse(after) as SqlValue[]);
  const lower = after === '' ? 'true' : `(${columns}) > (${marks})`;
  const [edge] = await tx.rows(`SELECT ${columns} FROM ${table} WHERE ${lower} ORDER BY ${columns} LIMIT 1 OFFSET ${SCANNED - 1}`, from);
  if (!edge) return { where: lower, params: from, next: null };
  const to = key.map((column) => edge[column] as SqlValue);
  return { where: `${lower} AND (${columns}) <= (${marks})`, params: [...from, ...to], next: JSON.stringify(to) };
}

/**
 * A step that changes the rows of a table that meet a condition. It goes through the table by primary key, so that each batch holds other
 * writers for the same short time whatever indexes there are.
 *
 * @param change `DELETE FROM t` or `UPDATE t SET …`; its parameters come first
 */
export function rowStep(name: StepName, rows: Rows, change: string, where: string, params: ErasureParams): ErasureStep {
  return {
    ...name,
    batch: async (erasure, tx, after) => {
      const range = await nextRange(tx, rows, after);
      const values = params(erasure);
      // The condition's parameters end with those of the range, whatever the change needs before.
      const sql = `${change} WHERE (${where}) AND ${range.where}`;
      const [outcome] = await tx.apply([{ sql, params: [...values, ...range.params], counted: true }]);
      return { changed: outcome?.changed ?? 0, next: range.next };
    },
  };
}

/**
 * A step that goes through rows as `rowStep` does, reads those that meet a condition, and passes them on.
 *
 * @param select a query without ORDER BY that ends with its condition and returns the rows of the table's range
 * @param handle returns how many rows it has changed
 */
export function readStep<R extends object>(
  name: StepName,
  rows: Rows,
  select: { readonly columns: string; readonly where: string; readonly params: ErasureParams },
  handle: (found: R[], erasure: Erasure, tx: Transaction) => Promise<number>,
): ErasureStep {
  return {
    ...name,
    batch: async (erasure, tx, after) => {
      const range = await nextRange(tx, rows, after);
      const sql = `SELECT ${select.columns} FROM ${rows.table} WHERE (${select.where}) AND ${range.where}`;
      const found = await tx.rows<R>(sql, [...select.params(erasure), ...range.params]);
      return { changed: found.length === 0 ? 0 : await handle(found, erasure, tx), next: range.next };
    },
  };
}

/** A step that deletes the rows whose text names the user or something that is erased. @param textOf the searched text of a row */
export function textStep<R extends Row>(
  name: StepName,
  { table, key, columns }: { readonly table: string; readonly key: string; readonly columns: readonly string[] },
  textOf: (row: R) => string,
): ErasureStep {
  const select = { columns: [key, ...columns].join(', '), where: 'true', params: () => [] };
  return readStep<R>(name, { table, key: [key] }, select, async (found, erasure, tx) => {
    const about = await textsAbout(erasure, tx, found.map(textOf));
    const keys = idKeys(found.filter((_, index) => about[index]).map((row) => String(row[key])));
    const [outcome] = await tx.apply([
      { sql: `DELETE FROM ${table} WHERE ${key} IN (SELECT key FROM json_each(?))`, params: [keys], counted: true },
    ]);
    return outcome?.changed ?? 0;
  });
}

/** A step that takes up to `size` items at a time until none is left. `take` must not return an item that `handle` has handled. */
export function itemStep(
  name: StepName,
  size: number,
  take: (erasure: Erasure, tx: Transaction, limit: number) => Promise<string[]>,
  handle: (ids: string[], erasure: Erasure, tx: Transaction) => Promise<void>,
): ErasureStep {
  return {
    ...name,
    batch: async (erasure, tx): Promise<ErasedBatch> => {
      const ids = await take(erasure, tx, size);
      if (ids.length > 0) await handle(ids, erasure, tx);
      return { changed: ids.length, next: ids.length < size ? null : '' };
    },
  };
}

/**
 * The rows of a query as records of an export, page by page.
 *
 * @param query a SELECT that returns the column `key`, unique among its rows, and SQL for the bytes of a row `x` (`EntityTable.bytesIn`)
 * @param read converts a row
 */
export async function* exportRows(
  reader: Reader,
  kind: string,
  { sql, params, bytes }: ReadQuery & { readonly bytes: string },
  key: string,
  read: (row: Row) => Record<string, unknown> = (row) => row,
): AsyncGenerator<readonly PersonalRecord[], void> {
  for (let after = ''; ;) {
    const { rows, more } = await reader.page({
      columns: '*',
      bytes,
      from: `FROM (${sql}) x WHERE "${key}" > ?`,
      params: [...params, after],
      order: `"${key}"`,
      limit: PAGE,
    });
    after = String(rows.at(-1)?.[key]);
    if (rows.length > 0) yield rows.map((row) => ({ kind, record: read(row) }));
    if (!more) return;
  }
}
