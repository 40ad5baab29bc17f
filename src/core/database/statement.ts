import type { AppError } from '../errors/index.js';

export type SqlValue = string | number | boolean | Uint8Array | null;
export type Row = Record<string, unknown>;

/** A query with `?` placeholders. */
export interface ReadQuery {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

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
  /**
   * True for one INSERT, UPDATE or DELETE that neither reads nor changes rows that another statement of the unit changes. On PostgreSQL, such
   * statements are sent as one.
   */
  readonly independent?: boolean;
  /** Its condition reads other rows of the channel. On PostgreSQL, the unit is repeated when another one has changed the channel meanwhile. */
  readonly current?: boolean;
  /**
   * Rows of other tables that the inserted rows belong to and are deleted with. On PostgreSQL, which has no foreign keys for them
   * (`replaceByTriggers`), the unit fails like a violation of one when such a row does not exist; it cannot be deleted before the commit.
   */
  readonly parents?: readonly Parent[];
  /** For a statement that appends a journal entry (made by `append`): its position is in the outcome, and readers are notified. */
  readonly journal?: {
    readonly channelId: string | null;
    /** How far the entry advances the sequence number of its channel. */
    readonly step: number;
    /** The entry is the first of its channel, whose id was generated for it. */
    readonly opens?: boolean;
    /** Every process reads the entry, also without readers of its channel. What processes keep about the channel has then changed. */
    readonly everywhere?: boolean;
    /** On PostgreSQL: how far the channel's changes were known (`Channel.changed`); the statement changes no row if there are newer ones. */
    readonly unchangedSince?: number;
  };
}

/** A row by its key. */
export interface Parent {
  readonly table: string;
  /** Values by column. */
  readonly key: Readonly<Record<string, string>>;
  /** True when the statement itself leaves out rows without a parent. */
  readonly optional?: boolean;
}

/** SQL expressions for the position and the sequence number of the entry whose `append` comes before the statement in its unit. */
export const NEW_ENTRY_POS = '(SELECT max(pos) FROM journal)';
export const NEW_ENTRY_SEQ = '(SELECT seq FROM journal ORDER BY pos DESC LIMIT 1)';

/** A journal entry that a unit has committed. */
export interface AppendedEntry {
  readonly statement: Statement;
  readonly position: EntryPosition;
}

/** Result of a statement of a committed unit. */
export interface Outcome {
  /** Number of inserted, updated or deleted rows; 0 when the statement does not count them. */
  readonly changed: number;
  /** Rows of `returns`, as they are at the commit. */
  readonly rows: Row[];
  /** Position of an appended journal entry. */
  readonly position?: EntryPosition;
}

/** Where an entry stands in the journal. */
export interface EntryPosition {
  readonly offset: number;
  readonly seq: number;
  /** On PostgreSQL: offset of the entry before it in its channel, 0 before the first. */
  readonly previous?: number;
  /** On PostgreSQL: offset of the newest entry for every process when the unit began. */
  readonly control?: number;
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

/** Whether the statement refuses exactly when it changes no row, so that the database can decide. */
export function refusesNone({ refuse, returns }: Statement): boolean {
  if (!refuse || returns) return false;
  return refuse({ changed: 0, rows: [] }) !== undefined && refuse({ changed: 1, rows: [] }) === undefined;
}
