import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { AppError } from '../../../core/errors/index.js';
import { IfPresent, IsCount, IsFilledText, IsJsonObject, IsUuidText } from '../../../core/http/index.js';
import { isUuid } from '../../../core/ids/index.js';
import { MOST_JOBS } from './job-retention.js';
import type { AnsweredJob, CreateJob } from './jobs.service.js';
import { JOB_STATUSES, type JobCounts, type JobPlace, type JobState, type JobStatus } from './jobs.types.js';

const LONGEST_QUESTION = 50_000;
const LONGEST_METADATA = 10_000;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_LIMIT = 50;

/** Body of `POST /api/messaging/jobs`. */
export class CreateJobBody {
  @IsUuidText()
  userId!: string;

  /** The question. */
  @IsFilledText(LONGEST_QUESTION)
  content!: string;

  /** Who is asked; the first running agent when it is left out. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  @IsOptional()
  @IsJsonObject(LONGEST_METADATA)
  metadata?: Record<string, unknown> | null;

  /** How long the answer may take, ms; 30000 when it is left out. */
  @IfPresent()
  @IsInt()
  @Min(1000)
  @Max(300_000)
  timeoutMs?: number;
}

/** Query of `GET /api/messaging/jobs`. */
export class ListJobsQuery {
  /** Jobs in a page, 1 to 100; 50 when it is left out. */
  @IfPresent()
  @IsCount(100)
  limit?: string;

  @IfPresent()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;

  /** Where the page before ended: its nextCursor. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** A job that was taken on. */
export class NewJobView {
  /** @format uuid */
  jobId!: string;
  status!: 'pending' | 'processing' | 'completed' | 'failed' | 'timeout';
  /** Epoch milliseconds. */
  createdAt!: number;
  /** Epoch milliseconds; without an answer by then the job is `timeout`. */
  expiresAt!: number;
  /** Id that the reply has, or will have; null when its question was deleted. @format uuid */
  replyId!: string | null;
  /** Id of the question as a message. @format uuid */
  inReplyTo!: string;
}

/** The answer of a job. */
export class JobMessageView {
  /** @format uuid */
  id!: string;
  /** Empty when the agent stays silent. */
  content!: string;
  /** The agent. @format uuid */
  authorId!: string;
  /** Epoch milliseconds. */
  createdAt!: number;
  metadata!: Record<string, unknown>;
}

/** What came of a job. */
export class JobResultView {
  message!: JobMessageView;
  /** False when the agent chose to stay silent. */
  didRespond!: boolean;
  /** From question to answer, ms. */
  processingTimeMs!: number;
}

/** A question that was asked once, and how it stands. */
export class JobView extends NewJobView {
  /** @format uuid */
  agentId!: string;
  /** @format uuid */
  userId!: string;
  /** Where question and answer stand. @format uuid */
  channelId!: string;
  prompt!: string;
  metadata!: Record<string, unknown>;
  /** Only of a completed job. */
  result?: JobResultView;
  /** Why there is no answer, of a failed job or one that ran out of time. */
  error?: string;
  /** The code of that error. */
  errorCode?: string;
}

/** A page of jobs, newest first. */
export class JobListView {
  jobs!: JobView[];
  /** How many jobs there are altogether. */
  total!: number;
  /** How many are in this page. */
  filtered!: number;
  /** Where the next page begins; absent on the last one. */
  nextCursor?: string;
}

/** Jobs by how they stand. */
export class JobStatusCountsView {
  pending!: number;
  processing!: number;
  completed!: number;
  failed!: number;
  timeout!: number;
}

/** Shares are of the jobs that have ended, from 0 to 1 with two decimals. */
export class JobMetricsView {
  /** Of completed jobs, ms. */
  averageProcessingTimeMs!: number;
  successRate!: number;
  failureRate!: number;
  timeoutRate!: number;
}

/** How jobs are. */
export class JobsHealthView {
  healthy!: boolean;
  /** Epoch milliseconds. */
  timestamp!: number;
  totalJobs!: number;
  statusCounts!: JobStatusCountsView;
  metrics!: JobMetricsView;
  /** How many are kept. */
  maxJobs!: number;
}

export function toCreateJob({ userId, content, agentId, metadata, timeoutMs }: CreateJobBody): Omit<CreateJob, 'users'> {
  return { userId: userId.toLowerCase(), content, agentId, metadata: metadata ?? {}, timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS };
}

/** @throws AppError VALIDATION_ERROR for a cursor that is none */
export function toJobPage({ limit, status, cursor }: ListJobsQuery): { limit: number; status?: JobStatus; after?: JobPlace } {
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), status, after: cursor === undefined ? undefined : placeOf(cursor) };
}

export function presentNewJob({ id, status, createdAt, expiresAt, replyId, messageId }: JobState): NewJobView {
  return { jobId: id, status, createdAt, expiresAt, replyId, inReplyTo: messageId };
}

export function presentJob({ state, reply }: AnsweredJob): JobView {
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

export function presentJobs({ jobs, total, more }: { jobs: AnsweredJob[]; total: number; more: boolean }): JobListView {
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
    maxJobs: MOST_JOBS,
  };
}

function errorOf({ status, error }: JobState): Pick<JobView, 'error' | 'errorCode'> {
  if (status === 'timeout') return { error: 'Job timed out waiting for agent response', errorCode: 'TURN_TIMEOUT' };
  if (status !== 'failed') return {};
  return error
    ? { error: error.message, errorCode: error.code }
    : { error: 'The question was deleted or interrupted before it was answered.', errorCode: 'TURN_CANCELLED' };
}

function placeOf(cursor: string): JobPlace {
  const [createdAt = '', id] = Buffer.from(cursor, 'base64url').toString('latin1').split(':');
  if (/^\d{1,15}$/.test(createdAt) && isUuid(id)) return { createdAt: Number(createdAt), id };
  throw new AppError('VALIDATION_ERROR', 'cursor is none that this operation gave out', 'Send the nextCursor of an earlier page.');
}
