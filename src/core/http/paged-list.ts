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
 * @param read returns up to `size` rows after a row, or the first rows; fewer only on the last page
 */
export async function* keysetPages<Row>(
  size: number,
  read: (after: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  let behind: Row | undefined;
  for (;;) {
    const page = await read(behind);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    behind = page.at(-1);
  }
}

/** The first rows of a list, and whether more follow. Reads no further page. */
export async function takeFirst<Row>(pages: AsyncIterable<readonly Row[]>, limit: number): Promise<{ rows: Row[]; more: boolean }> {
  const rows: Row[] = [];
  for await (const page of pages) {
    rows.push(...page);
    if (rows.length > limit) break;
  }
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}
