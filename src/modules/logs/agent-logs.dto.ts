import { IsIn, IsString, Matches } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { encodeCursor, ApiSchema, IfPresent, IsCount, IsFilledText, IsUuidText, parsePosition, parseTime } from '../../core/http/index.js';
import { hasAtMost } from '../../core/text/index.js';
import type { AgentLog, AgentLogQuery } from './agent-logs.repository.js';
import { LEVEL_NAMES, levelNumber } from './log-levels.js';

const MAX_PAGE = 1000;
const DEFAULT_PAGE = 50;
const MAX_EXCLUDED = 20;
const MAX_TYPE_LENGTH = 64;

/** Query of `GET /api/agents/{agentId}/logs`, with the parameter names of the original service and its client. */
export class AgentLogsQuery {
  /** Id of the agent's room. */
  @IfPresent()
  @IsUuidText()
  roomId?: string;

  /** run_event, action, evaluator, log, or `useModel:` with the model type. */
  @IfPresent()
  @IsFilledText(MAX_TYPE_LENGTH)
  type?: string;

  /** Excludes this type, and model calls whose type contains this text; may be repeated. */
  @IfPresent()
  @ApiSchema({ maxItems: MAX_EXCLUDED })
  excludeTypes?: string[];

  /** Returns only this level. */
  @IfPresent()
  @IsIn(['all', ...LEVEL_NAMES])
  level?: string;

  /** Text that the entry contains, case-insensitive. */
  @IfPresent()
  @IsFilledText(200)
  search?: string;

  /** Earliest entry: epoch ms or an ISO 8601 instant. Alias: `since`. */
  @IfPresent()
  @IsString()
  from?: string;

  @IfPresent()
  @IsString()
  since?: string;

  /** Latest entry: epoch ms or an ISO 8601 instant. Alias: `until`. */
  @IfPresent()
  @IsString()
  to?: string;

  @IfPresent()
  @IsString()
  until?: string;

  /** Returns older entries: the `cursor` of an entry, or an instant. */
  @IfPresent()
  @IsString()
  before?: string;

  /** Page size. Defaults to 50. Alias: `count`. */
  @IfPresent()
  @IsCount(MAX_PAGE)
  limit?: string;

  @IfPresent()
  @IsCount(MAX_PAGE)
  count?: string;

  /** Number of entries to skip; prefer `before`. */
  @IfPresent()
  @Matches(/^\d{1,7}$/, { message: '$property must be a whole number from 0' })
  offset?: string;

  /** Page number, from 1; prefer `before`. */
  @IfPresent()
  @Matches(/^[1-9]\d{0,5}$/, { message: '$property must be a whole number from 1' })
  page?: string;
}

/** An entry of an agent's log. */
export class AgentLogView {
  /** @format uuid */
  id!: string;
  /** @format uuid */
  agentId!: string;
  /** Same as `agentId`. @format uuid */
  entityId!: string;
  /** @format uuid */
  roomId!: string | null;
  /** run_event, action, evaluator, log, or `useModel:` with the model type. */
  type!: string;
  /** 20 debug, 30 info, 40 warn, 50 error, 60 fatal. */
  level!: number;
  /** Details of the entry. */
  body!: Record<string, unknown>;
  /** Epoch ms. */
  createdAt!: number;
  /** Value for `before` that returns the entries after this one in the list. */
  cursor!: string;
}

/** @throws AppError VALIDATION_ERROR */
export function toAgentLogQuery(query: AgentLogsQuery): AgentLogQuery {
  const limit = Number(query.limit ?? query.count ?? DEFAULT_PAGE);
  const { level } = query;
  return {
    roomId: query.roomId?.toLowerCase(),
    type: query.type,
    excludeTypes: excludedTypes(query.excludeTypes),
    level: level === undefined || level === 'all' ? undefined : levelNumber(level),
    search: query.search,
    from: parseTime('from', query.from) ?? parseTime('since', query.since),
    to: parseTime('to', query.to) ?? parseTime('until', query.until),
    before: parsePosition('before', query.before),
    limit,
    offset: Number(query.offset ?? (query.page === undefined ? 0 : (Number(query.page) - 1) * limit)),
  };
}

function excludedTypes(given: unknown): string[] {
  const types: unknown[] = given === undefined ? [] : [given].flat();
  const good = types.every((type): type is string => typeof type === 'string' && type !== '' && hasAtMost(type, MAX_TYPE_LENGTH));
  if (good && types.length <= MAX_EXCLUDED) return types;
  throw new AppError('VALIDATION_ERROR', `excludeTypes must be up to ${MAX_EXCLUDED} texts of 1 to ${MAX_TYPE_LENGTH} characters`);
}

export function presentAgentLog(log: AgentLog): AgentLogView {
  return { ...log, body: { ...log.body }, entityId: log.agentId, cursor: encodeCursor({ at: log.createdAt, id: log.id }) };
}
