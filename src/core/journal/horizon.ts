import { MARK_CLASS, MARKS } from '../database/index.js';

/**
 * The newest position that has been drawn, and the marks of transactions that may still draw or commit one. The marks are read after it:
 * a transaction has its mark before it draws, and keeps it until its commit can be seen.
 */
export const HORIZON = `WITH drawn AS MATERIALIZED (SELECT last_value FROM journal_pos)
  SELECT drawn.last_value, (
    SELECT string_agg(objid::text, ' ') FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${MARK_CLASS} AND objsubid = 2 AND drawn.last_value >= 0
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS marks,
  greatest((SELECT max(pos) FROM journal), (SELECT trimmed_to FROM journal_floor WHERE id = 1)) AS committed FROM drawn`;

export interface HorizonRow {
  readonly last_value: number | string;
  readonly marks: string | null;
  readonly committed: number | string | null;
}

/** The newest offset that has been drawn. */
export function drawnUpTo(row: HorizonRow | undefined): number {
  return Number(row?.last_value ?? 0);
}

/**
 * The offset up to which a query that begins afterwards sees every entry that there will ever be (docs/decisions/0040).
 */
export function completeUpTo(row: HorizonRow | undefined): number {
  const drawn = drawnUpTo(row);
  const marks = row?.marks ? row.marks.split(' ').map((mark) => drawn - ((((drawn - Number(mark)) % MARKS) + MARKS) % MARKS)) : [];
  // What a transaction draws comes after its mark. After a crash, the sequence may repeat positions above the newest that was committed.
  return Math.min(drawn, Number(row?.committed ?? 0), ...marks);
}
