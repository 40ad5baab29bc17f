import type { ReadQuery, SqlValue } from './statement.js';

/** Stored bytes of a page of a list. A page ends early rather than exceed them by more than its last row, and is never empty because of them. */
export const PAGE_BYTES = 1024 * 1024;

/** A page of a list that is ordered and limited in rows and in bytes. */
export interface PageQuery {
  /** Select list. */
  readonly columns: string;
  /** Parameters of `columns`; none by default. */
  readonly columnParams?: readonly SqlValue[];
  /** Stored bytes of a row (`EntityTable.bytesOf`). */
  readonly bytes: string;
  /** From `FROM` to the end of the conditions. */
  readonly from: string;
  /** Parameters of `from`. */
  readonly params: readonly SqlValue[];
  readonly order: string;
  /** Maximum number of rows, at least 1. */
  readonly limit: number;
  /** Rows to skip. */
  readonly offset?: number;
  /** `PAGE_BYTES` by default. */
  readonly maxBytes?: number;
}

/** Rows of a list, and whether others follow. */
export interface Page<Row> {
  readonly rows: Row[];
  readonly more: boolean;
  /** Stored bytes of the rows. */
  readonly bytes: number;
}

interface Sized {
  readonly rowBytes: number | string;
}

/**
 * The query for a page and one row behind it. The sizes are summed in the database, which returns the rows within the budget only: neither
 * engine reads a long text to tell its size.
 */
export function pageQuery({
  columns,
  columnParams = [],
  bytes,
  from,
  params,
  order,
  limit,
  offset = 0,
  maxBytes = PAGE_BYTES,
}: PageQuery): ReadQuery {
  const sizes = `SELECT ${bytes} AS size ${from} ORDER BY ${order} LIMIT ? OFFSET ?`;
  const sums = `SELECT sum(size) OVER (ROWS UNBOUNDED PRECEDING) - size AS earlier FROM (${sizes}) AS sizes`;
  // The inner limit tells the planner of PostgreSQL that few rows are wanted.
  return {
    sql: `SELECT * FROM (SELECT ${columns}, ${bytes} AS "rowBytes" ${from} ORDER BY ${order} LIMIT ? OFFSET ?) AS page
      LIMIT (SELECT count(*) + 1 FROM (${sums}) AS sums WHERE earlier < ?)`,
    params: [...columnParams, ...params, limit + 1, offset, ...params, limit, offset, maxBytes],
  };
}

/** The page in the rows of its query. */
export function pageOf<Row extends object>(found: readonly (Row & Sized)[], { limit, maxBytes }: PageQuery): Page<Row> {
  const { rows, ...rest } = withinBudget(found, limit, ({ rowBytes }) => Number(rowBytes), maxBytes);
  return { rows: rows.map(({ rowBytes: _size, ...row }) => row as unknown as Row), ...rest };
}

/** The first elements of a list that fit in a page. @param bytesOf stored bytes of an element */
export function withinBudget<T>(found: readonly T[], limit: number, bytesOf: (each: T) => number, maxBytes = PAGE_BYTES): Page<T> {
  const rows: T[] = [];
  let bytes = 0;
  for (const each of found) {
    if (rows.length === limit || (rows.length > 0 && bytes >= maxBytes)) return { rows, more: true, bytes };
    rows.push(each);
    bytes += bytesOf(each);
  }
  return { rows, more: false, bytes };
}

/** A list in parts that fit in a page each. */
export function* inPages<T>(list: readonly T[], bytesOf: (each: T) => number, limit = list.length): Generator<readonly T[], void> {
  for (let start = 0; start < list.length;) {
    const { rows } = withinBudget(list.slice(start, start + limit), limit, bytesOf);
    yield rows;
    start += rows.length;
  }
}
