import { Injectable } from '@nestjs/common';
import { Reader, type SqlValue, type Statement } from '../../../core/database/index.js';
import type { ErrorBody } from '../../../core/errors/index.js';
import { JOB_STATUSES, type Job, type JobCounts, type JobPlace, type JobState, type JobStatus } from './jobs.types.js';

const INSERT = `INSERT INTO jobs (id, channel_id, message_id, agent_id, user_id, prompt, metadata, created_at, expires_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

// The one place that says how a job stands; takes the present as its parameter.
const STATUS = `CASE
  WHEN t.message_id IS NULL THEN 'failed'
  WHEN t.finished_at <= j.expires_at THEN CASE t.status WHEN 'done' THEN 'completed' ELSE 'failed' END
  WHEN j.expires_at <= ? THEN 'timeout'
  WHEN t.status = 'running' THEN 'processing'
  ELSE 'pending' END`;
const STATES = `SELECT j.id, j.channel_id, j.message_id, j.agent_id, j.user_id, j.prompt, j.metadata, j.created_at, j.expires_at,
  t.reply_id, t.finished_at, t.error, ${STATUS} AS status
  FROM jobs j LEFT JOIN turns t ON t.message_id = j.message_id AND t.agent_id = j.agent_id`;
const COUNTS = `SELECT status, count(*) AS jobs, avg(finished_at - created_at) AS took FROM (${STATES}) s GROUP BY status`;

interface StateRow {
  id: string;
  channel_id: string;
  message_id: string;
  agent_id: string;
  user_id: string;
  prompt: string;
  metadata: string;
  created_at: number;
  expires_at: number;
  reply_id: string | null;
  finished_at: number | null;
  error: string | null;
  status: JobStatus;
}

@Injectable()
export class JobsRepository {
  constructor(private readonly reader: Reader) {}

  /** Belongs behind the statements that store the question. */
  insert({ id, channelId, messageId, agentId, userId, prompt, metadata, createdAt, expiresAt }: Job): Statement {
    return { sql: INSERT, params: [id, channelId, messageId, agentId, userId, prompt, JSON.stringify(metadata), createdAt, expiresAt] };
  }

  async find(id: string, now: number): Promise<JobState | undefined> {
    const [row] = await this.reader.rows<StateRow>(`${STATES} WHERE j.id = ?`, [now, id]);
    return row && toState(row);
  }

  /** Newest first, behind the job at `after`. */
  async list({ now, status, after, limit }: { now: number; status?: JobStatus; after?: JobPlace; limit: number }): Promise<JobState[]> {
    const conditions: string[] = [];
    const params: SqlValue[] = [now];
    if (status) {
      conditions.push('s.status = ?');
      params.push(status);
    }
    if (after) {
      conditions.push('(s.created_at, s.id) < (?, ?)');
      params.push(after.createdAt, after.id);
    }
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const rows = await this.reader.rows<StateRow>(`SELECT * FROM (${STATES}) s ${where} ORDER BY s.created_at DESC, s.id DESC LIMIT ?`, [
      ...params,
      limit,
    ]);
    return rows.map(toState);
  }

  async total(): Promise<number> {
    const [row] = await this.reader.rows<{ jobs: number }>('SELECT count(*) AS jobs FROM jobs');
    return row?.jobs ?? 0;
  }

  async counts(now: number): Promise<JobCounts> {
    const rows = await this.reader.rows<{ status: JobStatus; jobs: number; took: number | string | null }>(COUNTS, [now]);
    const found = new Map(rows.map((row) => [row.status, row]));
    return {
      statuses: Object.fromEntries(JOB_STATUSES.map((status) => [status, found.get(status)?.jobs ?? 0])) as JobCounts['statuses'],
      averageMs: Math.round(Number(found.get('completed')?.took ?? 0)),
    };
  }

  /** Channels of jobs that expired before an instant, and of those beyond the newest `most`; the oldest first. */
  async outdated(before: number, most: number, limit: number): Promise<string[]> {
    const rows = await this.reader.rows<{ channel_id: string }>(
      `SELECT channel_id FROM jobs WHERE expires_at < ?
        OR created_at < (SELECT created_at FROM jobs ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?) ORDER BY created_at, id LIMIT ?`,
      [before, most - 1, limit],
    );
    return rows.map((row) => row.channel_id);
  }
}

function toState(row: StateRow): JobState {
  return {
    id: row.id,
    channelId: row.channel_id,
    messageId: row.message_id,
    agentId: row.agent_id,
    userId: row.user_id,
    prompt: row.prompt,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    status: row.status,
    replyId: row.reply_id,
    endedAt: row.finished_at,
    error: row.error === null ? null : (JSON.parse(row.error) as ErrorBody),
  };
}
