import type { ErrorBody } from '../../../core/errors/index.js';

/** How a question stands. `timeout` is final: an answer that comes later is only a message of the channel. */
export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed', 'timeout'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A question asked once. Instants are epoch ms. */
export interface Job {
  readonly id: string;
  readonly channelId: string;
  readonly messageId: string;
  readonly agentId: string;
  readonly userId: string;
  readonly prompt: string;
  readonly metadata: Record<string, unknown>;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A question and what has become of it. */
export interface JobState extends Job {
  readonly status: JobStatus;
  /** Id that the answer has, or would have. */
  readonly replyId: string | null;
  /** When its turn ended; null while it has not, and when the question was deleted. */
  readonly endedAt: number | null;
  readonly error: ErrorBody | null;
}

/** A position in the list of jobs, which is newest first. */
export interface JobPlace {
  readonly createdAt: number;
  readonly id: string;
}

export interface JobCounts {
  readonly statuses: Record<JobStatus, number>;
  /** Of those that were completed, ms; 0 when none was. */
  readonly averageMs: number;
}
