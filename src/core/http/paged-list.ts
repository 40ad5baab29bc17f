/** Rows in groups that are held together. */
export type Pages<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

/**
 * A list that is read while it is sent, page by page, so that neither the list nor its text is held as a whole. An operation
 * returns one as a list of views (`pagedList`), or as a field of its view; `EnvelopeAdapter` sends it.
 */
export class PagedList<Row, View> {
  /**
   * @param pages   begins at the first page, each time that it is called: a view may show one list twice
   * @param present makes what is shown of a row; called when the row is sent
   */
  constructor(
    readonly pages: () => Pages<Row>,
    readonly present: (row: Row) => View,
  ) {}

  /** What is not sent by `EnvelopeAdapter` would be shown as an empty object. */
  toJSON(): never {
    throw new Error('a paged list can only be sent as the answer of an operation, or as a field of it');
  }
}

/** A `PagedList` under the type that the operation's view has for it. */
export function pagedList<Row, View>(pages: () => Pages<Row>, present: (row: Row) => View): View[] {
  return new PagedList(pages, present) as unknown as View[];
}

/**
 * Pages behind each other, by the place of the last row of each.
 *
 * @param read gives at most `size` rows behind a row, or the first ones; fewer on the last page
 */
export async function* keysetPages<Row>(
  size: number,
  read: (behind: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  let behind: Row | undefined;
  for (;;) {
    const page = await read(behind);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    behind = page.at(-1);
  }
}

/** The first rows of a list, and whether there are more; what comes behind is not read. */
export async function firstOf<Row>(pages: AsyncIterable<readonly Row[]>, limit: number): Promise<{ rows: Row[]; more: boolean }> {
  const rows: Row[] = [];
  for await (const page of pages) {
    rows.push(...page);
    if (rows.length > limit) break;
  }
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}
