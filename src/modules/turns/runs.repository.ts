import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type ColumnsOf, type SqlValue } from '../../core/database/index.js';
import { TurnStepRow } from './entities/turn-step.entity.js';
import { TurnRow } from './entities/turn.entity.js';
import type { RunQuery, RunStatus } from './runs.types.js';

/** Counting stops here, so that the total does not require a scan of all runs. */
const MAX_COUNTED = 1000;

const RUN = tableOf(TurnRow).pick(
  'messageId',
  'agentId',
  'channelId',
  'status',
  'attempts',
  'replyId',
  'error',
  'createdAt',
  'startedAt',
  'finishedAt',
);
const STEP = tableOf(TurnStepRow).pick('messageId', 'kind', 'payload', 'at');

const TIMED_OUT = '%"TURN_TIMEOUT"%';
// Must match the conditions of the partial indexes, so that they are used.
const BY_STATUS: Record<RunStatus, { condition: string; params: SqlValue[] }> = {
  started: { condition: `status IN ('queued', 'running')`, params: [] },
  completed: { condition: `status = 'done'`, params: [] },
  timeout: { condition: `status IN ('failed', 'cancelled') AND error LIKE ?`, params: [TIMED_OUT] },
  error: { condition: `status IN ('failed', 'cancelled') AND (error IS NULL OR error NOT LIKE ?)`, params: [TIMED_OUT] },
};

export type RunRow = Omit<ColumnsOf<TurnRow>, 'seq' | 'leaseOwner' | 'leaseUntil' | 'requestId'>;

export interface StepRow extends Pick<ColumnsOf<TurnStepRow>, 'messageId' | 'kind' | 'at'> {
  /** Null for a model call or a failure whose content was omitted. */
  readonly payload: Record<string, unknown> | null;
}

/** Reads turns and their steps for the runs API. */
@Injectable()
export class RunsRepository {
  constructor(private readonly reader: Reader) {}

  /** Newest first; returns one more than `query.limit` when another page follows. */
  async page(agentId: string, channelId: string | undefined, query: RunQuery): Promise<RunRow[]> {
    const { sql, params } = filter(agentId, channelId, query);
    const { before } = query;
    const behind = before ? ' AND (created_at < ? OR (created_at = ? AND message_id < ?))' : '';
    const rows = await this.reader.rows(
      `SELECT ${RUN.columns} FROM turns WHERE ${sql}${behind} ORDER BY created_at DESC, message_id DESC LIMIT ${query.limit + 1}`,
      before ? [...params, before.at, before.at, before.id] : params,
    );
    return rows.map((row) => RUN.read(row));
  }

  async count(agentId: string, channelId: string | undefined, query: RunQuery): Promise<number> {
    const { sql, params } = filter(agentId, channelId, query);
    const [row] = await this.reader.rows<{ total: number | string }>(
      `SELECT count(*) AS total FROM (SELECT 1 FROM turns WHERE ${sql} LIMIT ${MAX_COUNTED}) AS counted`,
      params,
    );
    return Number(row?.total ?? 0);
  }

  async find(agentId: string, runId: string): Promise<RunRow | undefined> {
    const [row] = await this.reader.rows(`SELECT ${RUN.columns} FROM turns WHERE reply_id = ? AND agent_id = ?`, [runId, agentId]);
    return row && RUN.read(row);
  }

  /** The steps of turns, in order. @param whole false to omit the content of model calls and failures, which is large */
  async steps(agentId: string, messageIds: readonly string[], whole: boolean): Promise<StepRow[]> {
    if (messageIds.length === 0) return [];
    const payload = whole ? 'payload' : `CASE WHEN kind IN ('model', 'failure') THEN NULL ELSE payload END AS payload`;
    const rows = await this.reader.rows(
      `SELECT message_id AS "messageId", kind, ${payload}, at FROM turn_steps
        WHERE message_id IN (${messageIds.map(() => '?').join(', ')}) AND agent_id = ? ORDER BY message_id, step`,
      [...messageIds, agentId],
    );
    return rows.map((row) => STEP.read(row));
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
