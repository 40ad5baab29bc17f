import type { AppendedEntry, EntryPosition, Outcome, Statement } from '../database/index.js';
import { currentRequestId } from '../context/request-context.js';
import { isEverywhere, isTransient, type JournalEntry, type JournalPayloads, type JournalType } from './events.js';

const NEXT_POSITION = '(SELECT coalesce(max(pos), 0) + 1 FROM journal)';
const LAST_SEQ = '(SELECT seq FROM journal WHERE channel_id = ? ORDER BY pos DESC LIMIT 1)';

const APPEND = `INSERT INTO journal (pos, channel_id, seq, type, payload, at, request_id)
  VALUES (${NEXT_POSITION}, ?, coalesce(${LAST_SEQ}, 0) + ?, ?, ?, ?, ?)`;

/**
 * The statement that appends an entry to the journal of a channel. It belongs in the same unit of work as the state that it reports, after
 * the statements that change it.
 *
 * @param channelId null for an entry without a channel; it has an offset and no sequence number
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
  const step = isTransient(type) ? 0 : 1;
  return {
    sql: APPEND,
    // A null step yields a null seq, on both engines.
    params: [channelId, channelId, channelId === null ? null : step, type, JSON.stringify(payload), at, requestId ?? null],
    journal: {
      channelId,
      step,
      ...(channelId !== null && isEverywhere(type) ? { everywhere: true } : {}),
    },
  };
}

/** As `append`, for the first entry of a channel whose id was generated for it, so that the position need not be read back. */
export function appendFirst<T extends JournalType>(type: T, channelId: string, payload: JournalPayloads[T], at: number): Statement {
  return {
    ...append(type, channelId, payload, at),
    journal: { ...append(type, channelId, payload, at).journal, channelId, step: 1, opens: true },
  };
}

/** The entry of a committed `append`, equal to the one read from the database. */
export function entryOf({ statement, position }: AppendedEntry): JournalEntry {
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

/** The position of an appended entry, from the outcome of its statement. */
export function entryPosition(outcome: Outcome | undefined): EntryPosition {
  if (!outcome?.position) throw new Error('this statement appended nothing to the journal');
  return outcome.position;
}
