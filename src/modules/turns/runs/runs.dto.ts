import { IsIn, IsString } from 'class-validator';
import { parseCursor, encodeCursor, IfPresent, IsCount, IsUuidText, parseTime } from '../../../core/http/index.js';
import { presentContext, presentStage, RunContextView, RunStageView } from './run-details.dto.js';
import type { RunDetails } from './runs.service.js';
import { RUN_STATUSES, type Run, type RunPage, type RunQuery, type RunStatus } from './runs.types.js';

export const MAX_PAGE = 100;
export const DEFAULT_PAGE = 20;

/** Query of `GET /api/agents/{agentId}/runs`. */
export class ListRunsQuery {
  /** Id of the agent's room, or of the channel. */
  @IfPresent()
  @IsUuidText()
  roomId?: string;

  /** Status of the runs. */
  @IfPresent()
  @IsIn(['all', ...RUN_STATUSES])
  status?: 'all' | RunStatus;

  /** Page size. Defaults to 20. */
  @IfPresent()
  @IsCount(MAX_PAGE)
  limit?: string;

  /** Earliest start: epoch ms or an ISO 8601 instant. */
  @IfPresent()
  @IsString()
  from?: string;

  /** Latest start: epoch ms or an ISO 8601 instant. */
  @IfPresent()
  @IsString()
  to?: string;

  /** The `nextCursor` of the previous page. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** Query of `GET /api/agents/{agentId}/runs/{runId}`. */
export class RunRoomQuery {
  /** Id of the agent's room, or of the channel, that the run must belong to. */
  @IfPresent()
  @IsUuidText()
  roomId?: string;
}

/** Counters of a run. */
export class RunCountsView {
  /** Completed actions. */
  actions!: number;
  /** Completed model calls. */
  modelCalls!: number;
  /** Failed actions, evaluators and attempts. */
  errors!: number;
  /** Completed evaluators. */
  evaluators!: number;
}

/** An agent's turn, from a message to its reply. */
export class RunSummaryView {
  /** Id of the run; equal to the id of its reply. @format uuid */
  runId!: string;
  status!: 'started' | 'completed' | 'timeout' | 'error';
  /** Id of the agent. @format uuid */
  agentId!: string;
  /** Null for an agent that has been deleted. */
  agentName!: string | null;
  /** When its message was stored, epoch ms. */
  createdAt!: number;
  /** When the run started, epoch ms; null while it is queued. */
  startedAt!: number | null;
  /** Epoch ms; null until the run ends. */
  endedAt!: number | null;
  /** ms; null until the run ends. */
  durationMs!: number | null;
  /** Id of the message replied to. @format uuid */
  messageId!: string;
  /** Id of the agent's room. @format uuid */
  roomId!: string;
  /** Id of the message's channel. @format uuid */
  channelId!: string;
  /** Id of the message's author; null when the message was deleted. @format uuid */
  entityId!: string | null;
  /** The first 300 characters of the message replied to; null when it was deleted. */
  question!: string | null;
  /** The first 300 characters of the reply; null without one. */
  answer!: string | null;
  /** Number of attempts (`attempts`), and the error of a run that ended without a reply (`error`). */
  metadata!: Record<string, unknown>;
  counts!: RunCountsView;
  /** Tokens of the prompts of its completed model calls; null when no call reported them. */
  inputTokens!: number | null;
  /** Tokens of the replies; null when no call reported them. */
  outputTokens!: number | null;
  /** US dollars at the prices of MODEL_PRICES; null when that of a call is not known. */
  costUsd!: number | null;
  /** Code of the error of a run that ended without a reply; else null. */
  errorCode!: string | null;
}

/** A page of an agent's runs, newest first. */
export class RunsView {
  runs!: RunSummaryView[];
  /** Number of matching runs, counted up to 1000. */
  total!: number;
  hasMore!: boolean;
  /** Cursor of the next page; null on the last page. */
  nextCursor!: string | null;
}

/** An event of a run. */
export class RunEventView {
  type!:
    | 'RUN_STARTED'
    | 'MEMORY_RECALLED'
    | 'PROMPT_SENT'
    | 'MODEL_USED'
    | 'ACTION_STARTED'
    | 'ACTION_COMPLETED'
    | 'EVALUATOR_COMPLETED'
    | 'RUN_ENDED';
  /** Epoch ms. */
  timestamp!: number;
  /** Details of the event: names, tokens, durations, results. For MEMORY_RECALLED: the memories found, and what was skipped and why. For
   * PROMPT_SENT (RUN_PROMPTS): the prompt of the model call, with its messages, tools and parameters. */
  data!: Record<string, unknown>;
}

/** A run with its stages and events, in order. */
export class RunView {
  summary!: RunSummaryView;
  /** By start. */
  stages!: RunStageView[];
  /** What the prompt used and left out; null until the agent has recalled. */
  context!: RunContextView | null;
  /** Whether the run has the prompt of a model call, as an event PROMPT_SENT. */
  promptRecorded!: boolean;
  /** The setting that has prompts recorded. */
  promptSetting!: 'RUN_PROMPTS';
  /** Whether the setting is on, for the runs to come. */
  promptSettingOn!: boolean;
  events!: RunEventView[];
}

/** @throws AppError VALIDATION_ERROR */
export function toRunQuery(query: ListRunsQuery): RunQuery {
  return {
    roomId: query.roomId?.toLowerCase(),
    status: query.status === undefined || query.status === 'all' ? undefined : query.status,
    limit: Number(query.limit ?? DEFAULT_PAGE),
    from: parseTime('from', query.from),
    to: parseTime('to', query.to),
    before: parseCursor('cursor', query.cursor),
  };
}

export function presentRuns({ runs, total, next }: RunPage): RunsView {
  return { runs: runs.map(presentSummary), total: total ?? 0, hasMore: next !== undefined, nextCursor: next ? encodeCursor(next) : null };
}

export function presentRun({ run, events, stages, context }: RunDetails, promptSettingOn: boolean): RunView {
  return {
    summary: presentSummary(run),
    stages: stages.map(presentStage),
    context: context ? presentContext(context) : null,
    promptRecorded: events.some(({ type }) => type === 'PROMPT_SENT'),
    promptSetting: 'RUN_PROMPTS',
    promptSettingOn,
    events: events.map(({ type, at, data }) => ({ type, timestamp: at, data: { ...data } })),
  };
}

export function presentSummary({ counts, error, attempts, ...run }: Run): RunSummaryView {
  return {
    ...run,
    errorCode: typeof error?.['code'] === 'string' ? error['code'] : null,
    durationMs: run.startedAt === null || run.endedAt === null ? null : Math.max(run.endedAt - run.startedAt, 0),
    metadata: { attempts, ...(error === null ? {} : { error }) },
    counts: { ...counts },
  };
}
