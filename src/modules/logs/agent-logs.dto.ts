import { IsIn, IsString, Matches } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { cursorText, Described, IfPresent, IsCount, IsFilledText, IsUuidText, positionOf, timeOf } from '../../core/http/index.js';
import type { AgentLog, AgentLogQuery } from './agent-logs.repository.js';
import { LEVEL_NAMES, levelNumber } from './log-levels.js';

const LARGEST_PAGE = 1000;
const DEFAULT_PAGE = 50;
const MOST_EXCLUDED = 20;
const LONGEST_TYPE = 64;

/** Query of `GET /api/agents/{agentId}/logs`: the original's names and those of its client. */
export class AgentLogsQuery {
  /** The agent's room. */
  @IfPresent()
  @IsUuidText()
  roomId?: string;

  /** run_event, action, evaluator, log, or `useModel:` with the kind of model. */
  @IfPresent()
  @IsFilledText(LONGEST_TYPE)
  type?: string;

  /** Leaves out this type, and calls of models whose kind has this in its name; may be repeated. */
  @IfPresent()
  @Described({ maxItems: MOST_EXCLUDED })
  excludeTypes?: string[];

  /** This level alone. */
  @IfPresent()
  @IsIn(['all', ...LEVEL_NAMES])
  level?: string;

  /** Text that the entry has in it, in any case. */
  @IfPresent()
  @IsFilledText(200)
  search?: string;

  /** Not older than this: epoch ms or an ISO 8601 instant. `since` is read too. */
  @IfPresent()
  @IsString()
  from?: string;

  @IfPresent()
  @IsString()
  since?: string;

  /** Not newer than this: epoch ms or an ISO 8601 instant. `until` is read too. */
  @IfPresent()
  @IsString()
  to?: string;

  @IfPresent()
  @IsString()
  until?: string;

  /** Goes on behind this place: the `cursor` of an entry, or a time. */
  @IfPresent()
  @IsString()
  before?: string;

  /** How many entries at most, 50 when absent. `count` is read too. */
  @IfPresent()
  @IsCount(LARGEST_PAGE)
  limit?: string;

  @IfPresent()
  @IsCount(LARGEST_PAGE)
  count?: string;

  /** How many entries to pass over; prefer `before`. */
  @IfPresent()
  @Matches(/^\d{1,7}$/, { message: '$property must be a whole number from 0' })
  offset?: string;

  /** Number of the page, from 1; prefer `before`. */
  @IfPresent()
  @Matches(/^[1-9]\d{0,5}$/, { message: '$property must be a whole number from 1' })
  page?: string;
}

/** Something that an agent did, or that went wrong with it. */
export class AgentLogView {
  /** @format uuid */
  id!: string;
  /** @format uuid */
  agentId!: string;
  /** The agent, whose doing it was. @format uuid */
  entityId!: string;
  /** @format uuid */
  roomId!: string | null;
  /** run_event, action, evaluator, log, or `useModel:` with the kind of model. */
  type!: string;
  /** 20 debug, 30 info, 40 warn, 50 error, 60 fatal. */
  level!: number;
  /** What is known of it. */
  body!: Record<string, unknown>;
  /** Epoch ms. */
  createdAt!: number;
  /** As `before` it asks for the entries behind this one. */
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
    from: timeOf('from', query.from) ?? timeOf('since', query.since),
    to: timeOf('to', query.to) ?? timeOf('until', query.until),
    before: positionOf('before', query.before),
    limit,
    offset: Number(query.offset ?? (query.page === undefined ? 0 : (Number(query.page) - 1) * limit)),
  };
}

function excludedTypes(given: unknown): string[] {
  const types: unknown[] = given === undefined ? [] : [given].flat();
  const good = types.every((type): type is string => typeof type === 'string' && type !== '' && type.length <= LONGEST_TYPE);
  if (good && types.length <= MOST_EXCLUDED) return types;
  throw new AppError('VALIDATION_ERROR', `excludeTypes must be up to ${MOST_EXCLUDED} texts of 1 to ${LONGEST_TYPE} characters`);
}

export function presentAgentLog(log: AgentLog): AgentLogView {
  return { ...log, body: { ...log.body }, entityId: log.agentId, cursor: cursorText({ at: log.createdAt, id: log.id }) };
}
