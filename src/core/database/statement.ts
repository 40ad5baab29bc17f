import type { AppError } from '../errors/index.js';

export type SqlValue = string | number | boolean | Uint8Array | null;
export type Row = Record<string, unknown>;

/**
 * One statement of a unit of work whose text is known beforehand, and which writes.
 * Placeholders are `?` (and `?` stands for nothing else), names are quoted where an engine reserves them, times are epoch ms and
 * JSON is text, so that the same text runs on both engines. The text is a constant: values are parameters.
 */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** Rows to read back when all statements of the unit have run, before the commit; in `Outcome.rows`. */
  readonly returns?: { readonly sql: string; readonly params: readonly SqlValue[] };
  /** Counts the rows that were changed, in `Outcome.changed`; implied by `refuse`. */
  readonly counted?: boolean;
  /** Looks at the outcome before the commit; an error that it gives back undoes the whole unit. */
  readonly refuse?: (outcome: Outcome) => AppError | undefined;
  /** True for an appended journal entry (`append` makes these): its place is in the outcome, and readers are woken. */
  readonly journal?: boolean;
}

/** A journal entry that a unit has committed. */
export interface Appended {
  readonly statement: Statement;
  readonly position: NonNullable<Outcome['position']>;
}

/** What a statement of a committed unit did. */
export interface Outcome {
  /** Rows that it inserted, updated or deleted; 0 when the statement does not count. */
  readonly changed: number;
  /** Rows of `returns`, as they are at the commit. */
  readonly rows: Row[];
  /** Where an appended journal entry stands. */
  readonly position?: { readonly offset: number; readonly seq: number };
}

/** Whether the rows that a statement changed have to be counted. */
export function counts(statement: Statement): boolean {
  return statement.counted === true || statement.refuse !== undefined;
}

/** @throws the error of the first statement that refuses its outcome */
export function checkOutcomes(statements: readonly Statement[], outcomes: readonly Outcome[]): void {
  statements.forEach((statement, index) => {
    const refusal = statement.refuse?.(outcomes[index] ?? { changed: 0, rows: [] });
    if (refusal) throw refusal;
  });
}
