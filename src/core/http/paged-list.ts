import { PAGE_BYTES } from '../database/index.js';

/** Rows in pages. */
export type Pages<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

/**
 * A list that is read page by page while it is sent, so that neither the list nor its text is in memory as a whole. An operation returns
 * it as a list of views (`pagedList`) or as a field of its view; `EnvelopeAdapter` sends it.
 */
export class PagedList<Row, View> {
  /**
   * @param pages   returns the pages from the first one on, at each call: a view may contain the list twice
   * @param present converts a row to its view; called when the row is sent
   */
  constructor(
    readonly pages: () => Pages<Row>,
    readonly present: (row: Row) => View,
  ) {}

  /** Prevents serialization by other code, which would yield an empty object. */
  toJSON(): never {
    throw new Error('a paged list can only be sent as the response of an operation, or as a field of it');
  }
}

/** A `PagedList` typed as the list of views that it stands for. */
export function pagedList<Row, View>(pages: () => Pages<Row>, present: (row: Row) => View): View[] {
  return new PagedList(pages, present) as unknown as View[];
}

/**
 * Reads pages by keyset: each page starts after the last row of the one before.
 *
 * @param read returns the rows after a row, or the first rows, at most as many as a page may have; `more` when others follow
 */
export async function* keysetPages<Row>(
  read: (after: Row | undefined) => Promise<{ readonly rows: readonly Row[]; readonly more: boolean }>,
): AsyncGenerator<readonly Row[], void> {
  let behind: Row | undefined;
  for (;;) {
    const { rows, more } = await read(behind);
    if (rows.length > 0) yield rows;
    if (!more) return;
    behind = rows.at(-1);
  }
}

/** The first rows of a list that fit in a page, and whether more follow. Reads no further page. */
export async function takeFirst<Row>(pages: AsyncIterable<readonly Row[]>, limit: number): Promise<{ rows: Row[]; more: boolean }> {
  const rows: Row[] = [];
  let bytes = 0;
  for await (const page of pages) {
    for (const row of page) {
      if (rows.length === limit || bytes >= PAGE_BYTES) return { rows, more: true };
      rows.push(row);
      bytes += JSON.stringify(row).length;
    }
  }
  return { rows, more: false };
}
