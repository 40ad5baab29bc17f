import type { AppError } from '../errors/index.js';

export type SqlValue = string | number | boolean | Uint8Array | null;
export type Row = Record<string, unknown>;

/**
 * A writing statement of a unit of work. Its text is a constant that runs on both engines: placeholders are `?` (used for nothing else),
 * reserved names are quoted, times are epoch ms and JSON is text. Values are always parameters.
 */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** Query that runs after all statements of the unit, before the commit; its rows are in `Outcome.rows`. */
  readonly returns?: { readonly sql: string; readonly params: readonly SqlValue[] };
  /** Count changed rows, in `Outcome.changed`; implied by `refuse`. */
  readonly counted?: boolean;
  /**
   * Checks the outcome before the commit. Returning an error rolls back the unit. It is also asked about an outcome that is only expected, so
   * it must not have effects. Without `counted`, the statement should nearly always change one row, which need not be read back.
   */
  readonly refuse?: (outcome: Outcome) => AppError | undefined;
  /** For a statement that appends a journal entry (made by `append`): its position is in the outcome, and readers are notified. */
  readonly journal?: {
    readonly channelId: string | null;
    /** How far the entry advances the sequence number of its channel. */
    readonly step: number;
    /** The entry is the first of its channel, whose id was generated for it. */
    readonly opens?: boolean;
  };
}

/** A journal entry that a unit has committed. */
export interface AppendedEntry {
  readonly statement: Statement;
  readonly position: NonNullable<Outcome['position']>;
}

/** Result of a statement of a committed unit. */
export interface Outcome {
  /** Number of inserted, updated or deleted rows; 0 when the statement does not count them. */
  readonly changed: number;
  /** Rows of `returns`, as they are at the commit. */
  readonly rows: Row[];
  /** Position of an appended journal entry. */
  readonly position?: { readonly offset: number; readonly seq: number };
}

/** Whether the changed rows of a statement have to be counted. */
export function countsRows(statement: Statement): boolean {
  return statement.counted === true || statement.refuse !== undefined;
}

/** Whether a statement nearly always changes one row, if its rows are counted. */
export function changesOneRow({ counted, refuse }: Statement): boolean {
  return counted === undefined && refuse !== undefined;
}

/** @throws the first error that a `refuse` callback returns */
export function checkOutcomes(statements: readonly Statement[], outcomes: readonly Outcome[]): void {
  statements.forEach((statement, index) => {
    const refusal = statement.refuse?.(outcomes[index] ?? { changed: 0, rows: [] });
    if (refusal) throw refusal;
  });
}
