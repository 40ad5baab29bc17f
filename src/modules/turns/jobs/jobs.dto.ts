import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { AppError } from '../../../core/errors/index.js';
import { IfPresent, IsCount, IsFilledText, IsJsonObject, IsUuidText } from '../../../core/http/index.js';
import { isUuid } from '../../../core/ids/index.js';
import { MAX_JOBS } from './job-retention.js';
import type { JobWithReply, CreateJob } from './jobs.service.js';
import { JOB_STATUSES, type JobCounts, type JobPosition, type JobState, type JobStatus } from './jobs.types.js';

const MAX_QUESTION_LENGTH = 50_000;
const MAX_METADATA_LENGTH = 10_000;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_LIMIT = 50;

/** Body of `POST /api/messaging/jobs`. */
export class CreateJobBody {
  @IsUuidText()
  userId!: string;

  /** The question. */
  @IsFilledText(MAX_QUESTION_LENGTH)
  content!: string;

  /** The agent to ask. Defaults to the first running agent. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  @IsOptional()
  @IsJsonObject(MAX_METADATA_LENGTH)
  metadata?: Record<string, unknown> | null;

  /** Time limit of the reply, ms. Defaults to 30000. */
  @IfPresent()
  @IsInt()
  @Min(1000)
  @Max(300_000)
  timeoutMs?: number;
}

/** Query of `GET /api/messaging/jobs`. */
export class ListJobsQuery {
  /** Page size, 1 to 100. Defaults to 50. */
  @IfPresent()
  @IsCount(100)
  limit?: string;

  @IfPresent()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;

  /** The `nextCursor` of the previous page. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** A created job. */
export class NewJobView {
  /** @format uuid */
  jobId!: string;
  status!: 'pending' | 'processing' | 'completed' | 'failed' | 'timeout';
  /** Epoch milliseconds. */
  createdAt!: number;
  /** Epoch milliseconds; without a reply by then the job is `timeout`. */
  expiresAt!: number;
  /** Id of the reply, known before the reply exists; null when the question was deleted. @format uuid */
  replyId!: string | null;
  /** Id of the question as a message. @format uuid */
  inReplyTo!: string;
}

/** The reply of a job. */
export class JobMessageView {
  /** @format uuid */
  id!: string;
  /** Empty when the agent did not reply. */
  content!: string;
  /** The agent. @format uuid */
  authorId!: string;
  /** Epoch milliseconds. */
  createdAt!: number;
  metadata!: Record<string, unknown>;
}

/** Result of a job. */
export class JobResultView {
  message!: JobMessageView;
  /** False when the agent chose not to reply. */
  didRespond!: boolean;
  /** From question to reply, ms. */
  processingTimeMs!: number;
}

/** A job with its status. */
export class JobView extends NewJobView {
  /** @format uuid */
  agentId!: string;
  /** @format uuid */
  userId!: string;
  /** Channel of the question and the reply. @format uuid */
  channelId!: string;
  prompt!: string;
  metadata!: Record<string, unknown>;
  /** Present when the job is completed. */
  result?: JobResultView;
  /** Why a failed or timed-out job has no reply. */
  error?: string;
  /** Error code. */
  errorCode?: string;
}

/** A page of jobs, newest first. */
export class JobListView {
  jobs!: JobView[];
  /** Total number of jobs. */
  total!: number;
  /** Number of jobs in this page. */
  filtered!: number;
  /** Cursor of the next page; absent on the last page. */
  nextCursor?: string;
}

/** Number of jobs by status. */
export class JobStatusCountsView {
  pending!: number;
  processing!: number;
  completed!: number;
  failed!: number;
  timeout!: number;
}

/** Rates are fractions of the ended jobs, 0 to 1 with two decimals. */
export class JobMetricsView {
  /** Average duration of completed jobs, ms. */
  averageProcessingTimeMs!: number;
  successRate!: number;
  failureRate!: number;
  timeoutRate!: number;
}

/** Health and statistics of jobs. */
export class JobsHealthView {
  healthy!: boolean;
  /** Epoch milliseconds. */
  timestamp!: number;
  totalJobs!: number;
  statusCounts!: JobStatusCountsView;
  metrics!: JobMetricsView;
  /** Maximum number of stored jobs. */
  maxJobs!: number;
}

export function toCreateJob({ userId, content, agentId, metadata, timeoutMs }: CreateJobBody): Omit<CreateJob, 'users'> {
  return { userId: userId.toLowerCase(), content, agentId, metadata: metadata ?? {}, timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS };
}

/** @throws AppError VALIDATION_ERROR for an invalid cursor */
export function toJobPage({ limit, status, cursor }: ListJobsQuery): { limit: number; status?: JobStatus; after?: JobPosition } {
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
    status,
    after: cursor === undefined ? undefined : parseCursor(cursor),
  };
}

export function presentNewJob({ id, status, createdAt, expiresAt, replyId, messageId }: JobState): NewJobView {
  return { jobId: id, status, createdAt, expiresAt, replyId, inReplyTo: messageId };
}

export function presentJob({ state, reply }: JobWithReply): JobView {
  const { agentId, userId, channelId, prompt, metadata, status, replyId, createdAt } = state;
  const endedAt = state.endedAt ?? createdAt;
  return {
    ...presentNewJob(state),
    ...{ agentId, userId, channelId, prompt, metadata },
    ...(status === 'completed'
      ? {
          result: {
            message: {
              id: reply?.id ?? replyId ?? '',
              content: reply?.content ?? '',
              authorId: agentId,
              createdAt: reply?.createdAt ?? endedAt,
              metadata: reply?.metadata ?? {},
            },
            didRespond: reply !== undefined,
            processingTimeMs: Math.max(0, endedAt - createdAt),
          },
        }
      : {}),
    ...errorOf(state),
  };
}

export function presentJobs({ jobs, total, more }: { jobs: JobWithReply[]; total: number; more: boolean }): JobListView {
  const last = jobs.at(-1)?.state;
  return {
    jobs: jobs.map(presentJob),
    total,
    filtered: jobs.length,
    ...(more && last ? { nextCursor: Buffer.from(`${last.createdAt}:${last.id}`).toString('base64url') } : {}),
  };
}

export function presentJobsHealth({ statuses, averageMs }: JobCounts, now: number): JobsHealthView {
  const ended = statuses.completed + statuses.failed + statuses.timeout;
  const share = (count: number): number => (ended === 0 ? 0 : Math.round((100 * count) / ended) / 100);
  return {
    healthy: true,
    timestamp: now,
    totalJobs: ended + statuses.pending + statuses.processing,
    statusCounts: statuses,
    metrics: {
      averageProcessingTimeMs: averageMs,
      successRate: share(statuses.completed),
      failureRate: share(statuses.failed),
      timeoutRate: share(statuses.timeout),
    },
    maxJobs: MAX_JOBS,
  };
}

function errorOf({ status, error }: JobState): Pick<JobView, 'error' | 'errorCode'> {
  if (status === 'timeout') return { error: 'Job timed out waiting for agent response', errorCode: 'TURN_TIMEOUT' };
  if (status !== 'failed') return {};
  return error
    ? { error: error.message, errorCode: error.code }
    : { error: 'The question was deleted or interrupted before the agent replied.', errorCode: 'TURN_CANCELLED' };
}

function parseCursor(cursor: string): JobPosition {
  const [createdAt = '', id] = Buffer.from(cursor, 'base64url').toString('latin1').split(':');
  if (/^\d{1,15}$/.test(createdAt) && isUuid(id)) return { createdAt: Number(createdAt), id };
  throw new AppError('VALIDATION_ERROR', 'cursor is not valid', 'Send the nextCursor of an earlier page.');
}
