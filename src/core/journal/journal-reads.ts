import type { ReadQuery, Row, SqlValue } from '../database/index.js';
import type { JournalEntry } from './events.js';

/** Entries that are read at once. */
export const BATCH = 500;

/** The columns of `toEntry`. */
export const ENTRY_COLUMNS = 'pos, channel_id, seq, type, payload, at, request_id';

/** A query for entries in the order of their positions; `where` has `?` placeholders. */
export function selectEntries(where: string, params: readonly SqlValue[]): ReadQuery {
  return {
    sql: `SELECT ${ENTRY_COLUMNS} FROM journal WHERE ${where} ORDER BY pos LIMIT ${BATCH}`,
    params,
  };
}

/** The entry in a row with `ENTRY_COLUMNS`. */
export function toEntry(row: Row): JournalEntry {
  return {
    offset: Number(row['pos']),
    channelId: row['channel_id'],
    seq: row['seq'] === null ? null : Number(row['seq']),
    type: row['type'],
    payload: JSON.parse(row['payload'] as string) as unknown,
    at: Number(row['at']),
    requestId: row['request_id'],
  } as JournalEntry;
}
