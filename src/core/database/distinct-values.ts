import type { Reader } from './reader.js';

const PAGE = 1000;

/** The different values of a text column, ascending, read in pages by its index. @param column names of the program, not of a caller */
export async function* distinctValues(reader: Reader, table: string, column: string): AsyncGenerator<string> {
  const sql = `SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} > ? ORDER BY ${column} LIMIT ${PAGE}`;
  let page: { value: string }[];
  let last = '';
  do {
    page = await reader.rows<{ value: string }>(sql, [last]);
    for (const { value } of page) yield value;
    last = page.at(-1)?.value ?? last;
  } while (page.length === PAGE);
}
