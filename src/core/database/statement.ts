import type { AppError } from '../errors/index.js';

export type SqlValue = string | number | boolean | Uint8Array | null;
export type Row = Record<string, unknown>;

/**
 * One prepared statement of a unit of work whose text is known beforehand.
 * Placeholders are `?`, names are quoted where an engine reserves them, times are epoch ms and JSON is text,
 * so that the same text runs on both engines.
 */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** Looks at the rows of a RETURNING clause before the commit; an error it gives back undoes the whole unit. */
  readonly refuse?: (rows: Row[]) => AppError | undefined;
  /** True for an appended journal entry: readers are woken after the commit. */
  readonly journal?: boolean;
}
