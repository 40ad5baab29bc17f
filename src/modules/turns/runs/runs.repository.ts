import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { engineOf, idKeys, Reader, tableOf, type ColumnsOf, type SqlValue } from '../../../core/database/index.js';
import type { ListPosition } from '../../../core/http/index.js';
import { TurnStepRow } from '../entities/turn-step.entity.js';
import { TurnRow } from '../entities/turn.entity.js';
import type { AllRunsQuery, RunQuery, RunStatus } from './runs.types.js';

/** Counting stops here, so that the total does not require a scan of all runs. */
const MAX_COUNTED = 1000;
/** Runs that one request looks through for slow ones: a duration has no index. */
const MAX_SCANNED = 20_000;

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
const STEP = tableOf(TurnStepRow).pick('messageId', 'agentId', 'kind', 'payload', 'at');

const TIMED_OUT = '%"TURN_TIMEOUT"%';
// Must match the conditions of the partial indexes, so that they are used.
const BY_STATUS: Record<RunStatus, { condition: string; params: SqlValue[] }> = {
  started: { condition: `(status IN ('queued', 'running') OR status = 'suspended')`, params: [] },
  completed: { condition: `status = 'done'`, params: [] },
  timeout: { condition: `status IN ('failed', 'cancelled') AND error LIKE ?`, params: [TIMED_OUT] },
  error: { condition: `status IN ('failed', 'cancelled') AND (error IS NULL OR error NOT LIKE ?)`, params: [TIMED_OUT] },
};

export type RunRow = Omit<ColumnsOf<TurnRow>, 'seq' | 'releases' | 'leaseOwner' | 'leaseUntil' | 'requestId' | 'traceContext'>;

export interface StepRow extends Pick<ColumnsOf<TurnStepRow>, 'messageId' | 'agentId' | 'kind' | 'at'> {
  /** Null for a model call or a failure whose content was omitted. */
  readonly payload: Record<string, unknown> | null;
}

/** Reads turns and their steps for the runs API. */
@Injectable()
export class RunsRepository {
  /** The payload of a step without its texts. */
  private readonly outline: string;

  constructor(
    private readonly reader: Reader,
    @Inject(CONFIG) config: Config,
  ) {
    const kept = ['provider', 'model', 'usage'];
    const [model, action] =
      engineOf(config.databaseUrl) === 'sqlite'
        ? [
            `json_object(${kept.map((name) => `'${name}', json_extract(payload, '$.${name}')`).join(', ')})`,
            `json_object('result', json_object('success', payload -> '$.result.success'))`,
          ]
        : [
            `json_build_object(${kept.map((name) => `'${name}', payload::json -> '${name}'`).join(', ')})::text`,
            `json_build_object('result', json_build_object('success', payload::json -> 'result' -> 'success'))::text`,
          ];
    this.outline = `CASE kind WHEN 'model' THEN ${model} WHEN 'action' THEN ${action} WHEN 'failure' THEN NULL ELSE payload END AS payload`;
  }

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

  /**
   * The runs of all agents, or of some, newest first.
   *
   * @returns `next` is the position of the next page; a page can be short, and have a next one, when it looked for slow runs
   */
  async pageOfAll(query: AllRunsQuery): Promise<{ rows: RunRow[]; next?: Required<ListPosition> }> {
    const { agentIds, channelId, limit, minDurationMs, before } = query;
    const conditions = conditionsOf(query);
    const [only, ...others] = agentIds ?? [];
    if (only !== undefined && others.length === 0) conditions.push(['agent_id = ?', [only]]);
    // Not by the index of the agents, which would read and sort all their runs for one page.
    else if (agentIds !== undefined) conditions.push([`agent_id || '' IN (SELECT key FROM json_each(?))`, [idKeys(agentIds)]]);
    if (channelId !== undefined) conditions.push(['channel_id = ?', [channelId]]);
    if (before) conditions.push(['(created_at, reply_id) < (?, ?)', [before.at, before.id]]);
    const { sql, params } = joined(conditions);
    // The few pending turns have an index of their own, which SQLite takes when no other gives the order.
    const created = query.status === 'started' ? 'created_at + 0' : 'created_at';
    const newest = `SELECT ${RUN.columns} FROM turns WHERE ${sql} ORDER BY ${created} DESC, reply_id DESC`;
    if (minDurationMs === undefined) return pageOf(await this.runs(`${newest} LIMIT ${limit + 1}`, params), limit);
    const slow = `SELECT * FROM (${newest} LIMIT ${MAX_SCANNED}) AS newest WHERE "finishedAt" - "startedAt" >= ?
      ORDER BY "createdAt" DESC, "replyId" DESC LIMIT ${limit + 1}`;
    const page = pageOf(await this.runs(slow, [...params, minDurationMs]), limit);
    if (page.next) return page;
    const [last] = await this.runs(`${newest} LIMIT 1 OFFSET ${MAX_SCANNED - 1}`, params);
    return last ? { ...page, next: positionOf(last) } : page;
  }

  /** Failed turns, newest first, without those that were cancelled. @param since epoch ms */
  failedSince(since: number, limit: number): Promise<RunRow[]> {
    return this.runs(
      `SELECT ${RUN.columns} FROM turns WHERE status IN ('failed', 'cancelled') AND status = 'failed' AND created_at >= ?
        ORDER BY created_at DESC, reply_id DESC LIMIT ${limit}`,
      [since],
    );
  }

  private async runs(sql: string, params: SqlValue[]): Promise<RunRow[]> {
    return (await this.reader.rows(sql, params)).map((row) => RUN.read(row));
  }

  /** The steps of turns, in order. @param whole false to omit the texts of model calls and actions, and the content of failures */
  async steps(messageIds: readonly string[], agentIds: readonly string[], whole: boolean): Promise<StepRow[]> {
    if (messageIds.length === 0) return [];
    const payload = whole ? 'payload' : this.outline;
    const rows = await this.reader.rows(
      `SELECT message_id AS "messageId", agent_id AS "agentId", kind, ${payload}, at FROM turn_steps
        WHERE message_id IN (SELECT key FROM json_each(?)) AND agent_id IN (SELECT key FROM json_each(?)) ORDER BY message_id, step`,
      [idKeys(messageIds), idKeys(agentIds)],
    );
    return rows.map((row) => STEP.read(row));
  }
}

type Conditions = [string, SqlValue[]][];

function filter(agentId: string, channelId: string | undefined, query: RunQuery): { sql: string; params: SqlValue[] } {
  const conditions: Conditions = [['agent_id = ?', [agentId]], ...conditionsOf(query)];
  if (channelId !== undefined) conditions.push(['channel_id = ?', [channelId]]);
  return joined(conditions);
}

function conditionsOf({ status, from, to }: Pick<RunQuery, 'status' | 'from' | 'to'>): Conditions {
  const conditions: Conditions = [];
  if (status !== undefined) conditions.push([BY_STATUS[status].condition, BY_STATUS[status].params]);
  if (from !== undefined) conditions.push(['created_at >= ?', [from]]);
  if (to !== undefined) conditions.push(['created_at <= ?', [to]]);
  return conditions;
}

function joined(conditions: Conditions): { sql: string; params: SqlValue[] } {
  const sql = conditions.map(([condition]) => condition).join(' AND ');
  return { sql: sql === '' ? '1 = 1' : sql, params: conditions.flatMap(([, params]) => params) };
}

function pageOf(found: readonly RunRow[], limit: number): { rows: RunRow[]; next?: Required<ListPosition> } {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, ...(last ? { next: positionOf(last) } : {}) };
}

function positionOf({ createdAt: at, replyId }: RunRow): Required<ListPosition> {
  return { at, id: replyId as string };
}
