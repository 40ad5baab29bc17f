import { IsIn, IsString } from 'class-validator';
import {
  canAccessAgent,
  encodeCursor,
  IfPresent,
  IsCount,
  IsUuidText,
  parseCursor,
  parseTime,
  type Caller,
} from '../../../core/http/index.js';
import { DEFAULT_PAGE, MAX_PAGE, presentSummary, RunSummaryView } from './runs.dto.js';
import { RUN_STATUSES, type AllRunsQuery, type RunPage, type RunStatus } from './runs.types.js';

const MAX_DURATION_MS = 86_400_000;

/** Query of `GET /api/runs`. */
export class ListAllRunsQuery {
  /** Runs of this agent only. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  /** Runs in this channel only. */
  @IfPresent()
  @IsUuidText()
  channelId?: string;

  /** Status of the runs. */
  @IfPresent()
  @IsIn(['all', ...RUN_STATUSES])
  status?: 'all' | RunStatus;

  /** Earliest message: epoch ms or an ISO 8601 instant. */
  @IfPresent()
  @IsString()
  from?: string;

  /** Latest message: epoch ms or an ISO 8601 instant. */
  @IfPresent()
  @IsString()
  to?: string;

  /** Only ended runs that took at least so long, milliseconds. */
  @IfPresent()
  @IsCount(MAX_DURATION_MS)
  minDurationMs?: string;

  /** Page size. Defaults to 20. */
  @IfPresent()
  @IsCount(MAX_PAGE)
  limit?: string;

  /** The `nextCursor` of the previous page. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** A page of the runs of all agents, newest first. */
export class AllRunsView {
  runs!: RunSummaryView[];
  /** With `minDurationMs`, a page can have fewer runs than its size, or none, and still have a next one. */
  hasMore!: boolean;
  /** Cursor of the next page; null on the last page. */
  nextCursor!: string | null;
}

/** The runs that a caller may see. @throws AppError VALIDATION_ERROR */
export function toAllRunsQuery(query: ListAllRunsQuery, caller: Caller): AllRunsQuery {
  const agentId = query.agentId?.toLowerCase();
  const allowed = caller.agents && [...caller.agents];
  return {
    agentIds: agentId === undefined ? allowed : [agentId].filter((id) => canAccessAgent(caller, id)),
    channelId: query.channelId?.toLowerCase(),
    status: query.status === undefined || query.status === 'all' ? undefined : query.status,
    limit: Number(query.limit ?? DEFAULT_PAGE),
    from: parseTime('from', query.from),
    to: parseTime('to', query.to),
    minDurationMs: query.minDurationMs === undefined ? undefined : Number(query.minDurationMs),
    before: parseCursor('cursor', query.cursor),
  };
}

export function presentAllRuns({ runs, next }: RunPage): AllRunsView {
  return { runs: runs.map(presentSummary), hasMore: next !== undefined, nextCursor: next ? encodeCursor(next) : null };
}
