import { Injectable } from '@nestjs/common';
import { idKeys, Reader, tableOf, UnitOfWork, type ColumnsOf, type Statement } from '../../../core/database/index.js';
import { JobTable } from '../../../core/queue/index.js';
import { ConversationSummaryRow } from '../entities/index.js';
import type { MemoryScope } from './memories.repository.js';

export type SummaryRow = ColumnsOf<ConversationSummaryRow>;
export type SummaryKey = Pick<SummaryRow, 'roomId' | 'agentId'>;

/** A stored summary, without its job. */
export type MadeSummary = Pick<SummaryRow, 'text' | 'model' | 'messages' | 'fromSeq' | 'throughSeq' | 'createdAt'>;

const TABLE = tableOf(ConversationSummaryRow);
const MADE = TABLE.pick('text', 'model', 'messages', 'fromSeq', 'throughSeq', 'createdAt');
const READ = `SELECT ${TABLE.columns} FROM conversation_summaries WHERE room_id = ? AND agent_id = ?`;
// A waiting job keeps its pause after a failure, and a running one its lease.
const EXTEND = `ON CONFLICT (room_id, agent_id) DO UPDATE SET
  until_seq = CASE WHEN excluded.until_seq > conversation_summaries.until_seq THEN excluded.until_seq ELSE conversation_summaries.until_seq END,
  turn_id = excluded.turn_id,
  user_id = excluded.user_id,
  due_at = CASE WHEN conversation_summaries.status IN ('pending', 'running') THEN conversation_summaries.due_at ELSE excluded.due_at END,
  status = CASE WHEN conversation_summaries.status = 'running' THEN 'running' ELSE 'pending' END`;
// The agents take turns, so that no one waits for all conversations of another.
const DUE = `SELECT room_id AS "roomId", agent_id AS "agentId" FROM (
    SELECT room_id, agent_id, due_at, row_number() OVER (PARTITION BY agent_id ORDER BY due_at, room_id) AS turn FROM conversation_summaries
    WHERE status IN ('pending', 'running') AND due_at <= ?
  ) d ORDER BY turn, due_at, room_id LIMIT ?`;
/** Assignments that delete the text and take the lease of a job that has read the former messages; parameters: the time, twice. */
export const EMPTIED = `text = NULL, model = NULL, messages = 0, from_seq = 0, through_seq = 0, created_at = NULL,
  status = 'pending', attempts = 0, due_at = ?, lease_owner = NULL, error = NULL, updated_at = ?`;
const RENEW = `UPDATE conversation_summaries SET ${EMPTIED}
  WHERE (room_id, agent_id) IN (
    SELECT s.room_id, s.agent_id FROM memories m JOIN conversation_summaries s ON s.room_id = m.room_id AND s.agent_id = m.agent_id
    WHERE m.id IN (SELECT key FROM json_each(?)) AND m.type = 'messages' AND m.seq >= s.from_seq AND m.seq <= s.until_seq
  )`;

const JOBS = new JobTable({
  queue: 'summaries',
  table: 'conversation_summaries',
  key: ['room_id', 'agent_id'],
  waiting: ['pending'],
  due: 'due_at',
  onClaim: 'updated_at = ?',
  onEnd: 'updated_at = ?',
});

/** The summaries of rooms. Their rows are the jobs of a queue. */
@Injectable()
export class SummariesRepository {
  readonly table = JOBS;

  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async find({ roomId, agentId }: SummaryKey): Promise<SummaryRow | undefined> {
    const [row] = await this.reader.rows(READ, [roomId, agentId]);
    return row && TABLE.read(row);
  }

  /** Makes the room's job due, up to `untilSeq`. The room exists. */
  request(job: SummaryKey & Pick<SummaryRow, 'untilSeq' | 'turnId' | 'userId'>, now: number): Statement {
    const empty = { text: null, model: null, messages: 0, fromSeq: 0, throughSeq: 0, createdAt: null };
    const waiting = { status: 'pending', attempts: 0, dueAt: now, leaseOwner: null, error: null, updatedAt: now } as const;
    return TABLE.insert({ ...job, ...empty, ...waiting }, EXTEND);
  }

  /** Due jobs, those of each agent in order, and when the next becomes due. */
  due(now: number, limit: number): ReturnType<typeof JOBS.withNextDue<SummaryKey>> {
    return JOBS.withNextDue(this.reader, now, this.reader.rows<SummaryKey>(DUE, [now, limit]));
  }

  /** Claims a due job; undefined when another process holds it. */
  async claim({ roomId, agentId }: SummaryKey, claim: Statement): Promise<SummaryRow | undefined> {
    const row = await JOBS.claimed(this.unitOfWork, claim, { sql: READ, params: [roomId, agentId] });
    return row && TABLE.read(row);
  }

  store({ roomId, agentId }: SummaryKey, made: MadeSummary): Statement {
    const sql = `UPDATE conversation_summaries SET ${MADE.assignments}, attempts = 0 WHERE room_id = ? AND agent_id = ?`;
    return { sql, params: [...MADE.params(made), roomId, agentId] };
  }

  /** Deletes the summaries that contain one of these memories, and has them made anew. Comes before the memories change. */
  renew(memoryIds: Iterable<string>, now: number): Statement {
    return { sql: RENEW, params: [now, now, idKeys(memoryIds)] };
  }

  /** Deletes the summaries of an agent, or that of a room. */
  deleteIn({ agentId, roomId }: MemoryScope): Statement {
    if (roomId === undefined) return { sql: 'DELETE FROM conversation_summaries WHERE agent_id = ?', params: [agentId] };
    return { sql: 'DELETE FROM conversation_summaries WHERE agent_id = ? AND room_id = ?', params: [agentId, roomId] };
  }

  /** Deletes every agent's summary of a channel. */
  deleteOfChannel(channelId: string): Statement {
    const rooms = 'SELECT agent_id, id FROM rooms WHERE channel_id = ?';
    return { sql: `DELETE FROM conversation_summaries WHERE (agent_id, room_id) IN (${rooms})`, params: [channelId] };
  }
}
