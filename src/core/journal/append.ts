import type { Appended, Outcome, Statement } from '../database/index.js';
import { currentRequestId } from '../context/request-context.js';
import type { JournalEntry, JournalPayloads, JournalType } from './entries.js';

const NEXT_POSITION = '(SELECT coalesce(max(pos), 0) + 1 FROM journal)';
const LAST_SEQ = '(SELECT seq FROM journal WHERE channel_id = ? ORDER BY pos DESC LIMIT 1)';

const APPEND = `INSERT INTO journal (pos, channel_id, seq, type, payload, at, request_id)
  VALUES (${NEXT_POSITION}, ?, coalesce(${LAST_SEQ}, 0) + ?, ?, ?, ?, ?)`;

/**
 * The statement that appends an entry to a channel's part of the journal. It belongs into the same unit of work
 * as the state it reports, behind the statements that change it.
 *
 * @param channelId null for what concerns no channel; such an entry has no position but its offset
 * @param at epoch ms
 * @returns a statement whose outcome has the entry's position
 */
export function append<T extends JournalType>(
  type: T,
  channelId: string | null,
  payload: JournalPayloads[T],
  at: number,
  requestId = currentRequestId(),
): Statement {
  // Nothing plus null is null, on both engines.
  const step = channelId === null ? null : type === 'message.chunk' ? 0 : 1;
  return { sql: APPEND, params: [channelId, channelId, step, type, JSON.stringify(payload), at, requestId ?? null], journal: true };
}

/** The entry that a committed `append` made, as it will be read from the database. */
export function entryOf({ statement, position }: Appended): JournalEntry {
  const [channelId, , , type, payload, at, requestId] = statement.params;
  return {
    offset: position.offset,
    seq: channelId === null ? null : position.seq,
    channelId,
    type,
    payload: JSON.parse(payload as string) as unknown,
    at,
    requestId,
  } as JournalEntry;
}

/** SQL for the position that the newest entry of a channel has; takes the channel's id as its parameter. */
export const CHANNEL_HEAD_SQL = LAST_SEQ;

/** Where an appended entry came to stand, out of the outcome of its statement. */
export function positionOf(outcome: Outcome | undefined): { offset: number; seq: number } {
  if (!outcome?.position) throw new Error('this statement appended nothing to the journal');
  return outcome.position;
}
