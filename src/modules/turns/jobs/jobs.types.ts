import type { ColumnsOf } from '../../../core/database/index.js';
import type { ErrorBody } from '../../../core/errors/index.js';
import type { JobRow } from '../entities/job.entity.js';

/** Status of a job. `timeout` is final: a later reply is only a message in the channel. */
export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed', 'timeout'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A one-off question. Instants are epoch ms. */
export type Job = ColumnsOf<JobRow>;

/** A job with its derived status. */
export interface JobState extends Job {
  readonly status: JobStatus;
  /** Id of the reply, known before the reply exists. */
  readonly replyId: string | null;
  /** When the turn ended; null before that, and when the question was deleted. */
  readonly endedAt: number | null;
  readonly error: ErrorBody | null;
}

/** A position in the list of jobs, which is newest first. */
export interface JobPosition {
  readonly createdAt: number;
  readonly id: string;
}

export interface JobCounts {
  readonly statuses: Record<JobStatus, number>;
  /** Average duration of completed jobs, ms; 0 without any. */
  readonly averageMs: number;
}
