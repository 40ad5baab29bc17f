import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type Page, type SqlValue, type Statement } from '../../../core/database/index.js';
import type { ErrorBody } from '../../../core/errors/index.js';
import { JobRow } from '../entities/job.entity.js';
import { TurnRow } from '../entities/turn.entity.js';
import { JOB_STATUSES, type Job, type JobCounts, type JobPosition, type JobState, type JobStatus } from './jobs.types.js';

const JOBS = tableOf(JobRow);
const TURN = tableOf(TurnRow).pick('replyId', 'finishedAt', 'error');

// The only definition of a job's status; its parameter is the current time.
const STATUS = `CASE
  WHEN t.message_id IS NULL THEN 'failed'
  WHEN t.finished_at <= j.expires_at THEN CASE t.status WHEN 'done' THEN 'completed' ELSE 'failed' END
  WHEN j.expires_at <= ? THEN 'timeout'
  WHEN t.status = 'running' THEN 'processing'
  ELSE 'pending' END`;
const STATES = `SELECT ${JOBS.columnsOf('j')}, ${TURN.columnsOf('t')}, ${STATUS} AS status
  FROM jobs j LEFT JOIN turns t ON t.message_id = j.message_id AND t.agent_id = j.agent_id`;
// A job is shown with the reply.
const REPLY_BYTES = ['content', 'metadata', 'raw_message'].map((name) => `coalesce(octet_length(r.${name}), 0)`).join(' + ');
const COUNTS = `SELECT status, count(*) AS jobs, avg("finishedAt" - "createdAt") AS took FROM (${STATES}) s GROUP BY status`;

@Injectable()
export class JobsRepository {
  constructor(private readonly reader: Reader) {}

  /** Must follow the statements that store the question. */
  insert(job: Job): Statement {
    return JOBS.insert(job);
  }

  async find(id: string, now: number): Promise<JobState | undefined> {
    const [row] = await this.reader.rows<{ status: JobStatus }>(`${STATES} WHERE j.id = ?`, [now, id]);
    return row && toState(row);
  }

  /** Newest first, after the position `after`. */
  async list({
    now,
    status,
    after,
    limit,
  }: {
    now: number;
    status?: JobStatus;
    after?: JobPosition;
    limit: number;
  }): Promise<Page<JobState>> {
    const conditions: string[] = [];
    const params: SqlValue[] = [now];
    if (status) {
      conditions.push('s.status = ?');
      params.push(status);
    }
    if (after) {
      conditions.push('(s."createdAt", s.id) < (?, ?)');
      params.push(after.createdAt, after.id);
    }
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const { rows, ...page } = await this.reader.page<{ status: JobStatus }>({
      columns: 's.*',
      bytes: `${JOBS.bytesIn('s')} + ${REPLY_BYTES}`,
      from: `FROM (${STATES}) s LEFT JOIN messages r ON r.id = s."replyId" ${where}`,
      params,
      order: 's."createdAt" DESC, s.id DESC',
      limit,
    });
    return { ...page, rows: rows.map(toState) };
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

  /** Channels of jobs that expired before `before` or exceed the newest `most`, oldest first. */
  async expiredChannels(before: number, most: number, limit: number): Promise<string[]> {
    const rows = await this.reader.rows<{ channel_id: string }>(
      `SELECT channel_id FROM jobs WHERE expires_at < ?
        OR created_at < (SELECT created_at FROM jobs ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?) ORDER BY created_at, id LIMIT ?`,
      [before, most - 1, limit],
    );
    return rows.map((row) => row.channel_id);
  }
}

function toState(row: { status: JobStatus }): JobState {
  const { finishedAt, error, ...state } = TURN.read(JOBS.read(row));
  return { ...state, endedAt: finishedAt, error: error as ErrorBody | null };
}
