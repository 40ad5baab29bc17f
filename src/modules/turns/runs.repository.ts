import { Injectable } from '@nestjs/common';
import { Reader, type SqlValue } from '../../core/database/index.js';
import type { RunQuery, RunStatus } from './runs.types.js';

/** Runs are counted up to here: a list says how many there are without looking at all of them. */
const MOST_COUNTED = 1000;

const COLUMNS = 'message_id, agent_id, channel_id, status, attempts, reply_id, error, created_at, started_at, finished_at';

const TIMED_OUT = '%"TURN_TIMEOUT"%';
// Worded as the partial indexes are, so that they are used.
const BY_STATUS: Record<RunStatus, { condition: string; params: SqlValue[] }> = {
  started: { condition: `status IN ('queued', 'running')`, params: [] },
  completed: { condition: `status = 'done'`, params: [] },
  timeout: { condition: `status IN ('failed', 'cancelled') AND error LIKE ?`, params: [TIMED_OUT] },
  error: { condition: `status IN ('failed', 'cancelled') AND (error IS NULL OR error NOT LIKE ?)`, params: [TIMED_OUT] },
};

export interface RunRow {
  message_id: string;
  agent_id: string;
  channel_id: string;
  status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  attempts: number;
  reply_id: string;
  error: string | null;
  created_at: number | string;
  started_at: number | string | null;
  finished_at: number | string | null;
}

export interface StepRow {
  message_id: string;
  kind: string;
  payload: string | null;
  at: number | string;
}

/** Reads turns and their steps for those who look back at them. */
@Injectable()
export class RunsRepository {
  constructor(private readonly reader: Reader) {}

  /** The newest first; one more than asked for when there are more. */
  async page(agentId: string, channelId: string | undefined, query: RunQuery): Promise<RunRow[]> {
    const { sql, params } = filter(agentId, channelId, query);
    const { before } = query;
    const behind = before ? ' AND (created_at < ? OR (created_at = ? AND message_id < ?))' : '';
    return this.reader.rows<RunRow>(
      `SELECT ${COLUMNS} FROM turns WHERE ${sql}${behind} ORDER BY created_at DESC, message_id DESC LIMIT ${query.limit + 1}`,
      before ? [...params, before.at, before.at, before.id] : params,
    );
  }

  async count(agentId: string, channelId: string | undefined, query: RunQuery): Promise<number> {
    const { sql, params } = filter(agentId, channelId, query);
    const [row] = await this.reader.rows<{ total: number | string }>(
      `SELECT count(*) AS total FROM (SELECT 1 FROM turns WHERE ${sql} LIMIT ${MOST_COUNTED}) AS counted`,
      params,
    );
    return Number(row?.total ?? 0);
  }

  async find(agentId: string, runId: string): Promise<RunRow | undefined> {
    const [row] = await this.reader.rows<RunRow>(`SELECT ${COLUMNS} FROM turns WHERE reply_id = ? AND agent_id = ?`, [runId, agentId]);
    return row;
  }

  /** The steps of turns, in order. @param whole false to leave out what calls of the model have said, which is long */
  async steps(agentId: string, messageIds: readonly string[], whole: boolean): Promise<StepRow[]> {
    if (messageIds.length === 0) return [];
    const payload = whole ? 'payload' : `CASE WHEN kind = 'model' THEN NULL ELSE payload END AS payload`;
    return this.reader.rows<StepRow>(
      `SELECT message_id, kind, ${payload}, at FROM turn_steps
        WHERE message_id IN (${messageIds.map(() => '?').join(', ')}) AND agent_id = ? ORDER BY message_id, step`,
      [...messageIds, agentId],
    );
  }
}

function filter(agentId: string, channelId: string | undefined, { status, from, to }: RunQuery): { sql: string; params: SqlValue[] } {
  const conditions: [string, SqlValue[]][] = [['agent_id = ?', [agentId]]];
  if (channelId !== undefined) conditions.push(['channel_id = ?', [channelId]]);
  if (status !== undefined) conditions.push([BY_STATUS[status].condition, BY_STATUS[status].params]);
  if (from !== undefined) conditions.push(['created_at >= ?', [from]]);
  if (to !== undefined) conditions.push(['created_at <= ?', [to]]);
  return { sql: conditions.map(([sql]) => sql).join(' AND '), params: conditions.flatMap(([, params]) => params) };
}
