import { IsIn, IsString } from 'class-validator';
import { cursorOf, cursorText, IfPresent, IsCount, IsUuidText, timeOf } from '../../core/http/index.js';
import { RUN_STATUSES, type Run, type RunEvent, type RunPage, type RunQuery, type RunStatus } from './runs.types.js';

const LARGEST_PAGE = 100;
const DEFAULT_PAGE = 20;

/** Query of `GET /api/agents/{agentId}/runs`. */
export class ListRunsQuery {
  /** The agent's room, or its channel. */
  @IfPresent()
  @IsUuidText()
  roomId?: string;

  /** How the runs stand. */
  @IfPresent()
  @IsIn(['all', ...RUN_STATUSES])
  status?: 'all' | RunStatus;

  /** How many at most, 20 when absent. */
  @IfPresent()
  @IsCount(LARGEST_PAGE)
  limit?: string;

  /** Not begun before this: epoch ms or an ISO 8601 instant. */
  @IfPresent()
  @IsString()
  from?: string;

  /** Not begun after this: epoch ms or an ISO 8601 instant. */
  @IfPresent()
  @IsString()
  to?: string;

  /** Goes on behind a page: its `nextCursor`. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** Query of `GET /api/agents/{agentId}/runs/{runId}`. */
export class RunRoomQuery {
  /** The agent's room, or its channel, that the run has to be of. */
  @IfPresent()
  @IsUuidText()
  roomId?: string;
}

/** How often something happened in a run. */
export class RunCountsView {
  /** Actions that ended. */
  actions!: number;
  /** Calls of the model that ended. */
  modelCalls!: number;
  /** Actions, evaluators and attempts at an answer that failed. */
  errors!: number;
  /** Evaluators that ended. */
  evaluators!: number;
}

/** A turn of an agent: from a message to its answer. */
export class RunSummaryView {
  /** Id of the run: that of the reply it makes. @format uuid */
  runId!: string;
  status!: 'started' | 'completed' | 'timeout' | 'error';
  /** When it was begun, epoch ms; null while it waits. */
  startedAt!: number | null;
  /** Epoch ms; null until it has ended. */
  endedAt!: number | null;
  /** ms; null until it has ended. */
  durationMs!: number | null;
  /** The message that is answered. @format uuid */
  messageId!: string;
  /** The agent's room. @format uuid */
  roomId!: string;
  /** The channel of the message. @format uuid */
  channelId!: string;
  /** Who wrote the message; null when that is not known any more. @format uuid */
  entityId!: string | null;
  /** How often it was begun (`attempts`), and why it ended without an answer (`error`). */
  metadata!: Record<string, unknown>;
  counts!: RunCountsView;
}

/** A page of an agent's runs, the newest first. */
export class RunsView {
  runs!: RunSummaryView[];
  /** How many runs match, counted up to 1000. */
  total!: number;
  hasMore!: boolean;
  /** Cursor of the next page; null on the last. */
  nextCursor!: string | null;
}

/** Something that happened in a run. */
export class RunEventView {
  type!: 'RUN_STARTED' | 'MEMORY_RECALLED' | 'MODEL_USED' | 'ACTION_STARTED' | 'ACTION_COMPLETED' | 'EVALUATOR_COMPLETED' | 'RUN_ENDED';
  /** Epoch ms. */
  timestamp!: number;
  /** What of it is known: names, tokens, times, results; of MEMORY_RECALLED which memories were found, and what was skipped and why. */
  data!: Record<string, unknown>;
}

/** A run with its events, in their order. */
export class RunView {
  summary!: RunSummaryView;
  events!: RunEventView[];
}

/** @throws AppError VALIDATION_ERROR */
export function toRunQuery(query: ListRunsQuery): RunQuery {
  return {
    roomId: query.roomId?.toLowerCase(),
    status: query.status === undefined || query.status === 'all' ? undefined : query.status,
    limit: Number(query.limit ?? DEFAULT_PAGE),
    from: timeOf('from', query.from),
    to: timeOf('to', query.to),
    before: cursorOf('cursor', query.cursor),
  };
}

export function presentRuns({ runs, total, next }: RunPage): RunsView {
  return { runs: runs.map(presentSummary), total, hasMore: next !== undefined, nextCursor: next ? cursorText(next) : null };
}

export function presentRun(run: Run, events: readonly RunEvent[]): RunView {
  return { summary: presentSummary(run), events: events.map(({ type, at, data }) => ({ type, timestamp: at, data: { ...data } })) };
}

function presentSummary({ counts, error, attempts, createdAt: _queued, ...run }: Run): RunSummaryView {
  return {
    ...run,
    durationMs: run.startedAt === null || run.endedAt === null ? null : Math.max(run.endedAt - run.startedAt, 0),
    metadata: { attempts, ...(error === null ? {} : { error }) },
    counts: { ...counts },
  };
}
