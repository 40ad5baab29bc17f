import { IsArray, IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { IfPresent, IsCount, IsFilledText, IsJsonObject, IsListOf, parseTime } from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';
import { isUuid } from '../../core/ids/index.js';
import { LEVEL_NAMES, type LevelName } from './log-levels.js';
import type { LogEntry, LogFilter } from './server-logs.service.js';

const HOUR_MS = 3_600_000;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_LINES = 1000;
const MAX_LINE_LENGTH = 10_000;
const MAX_SEARCH_LENGTH = 200;

/** Query of `GET /api/server/logs`. */
export class ServerLogsQuery {
  /** Earliest line: epoch ms or an ISO 8601 instant. Defaults to one hour ago. */
  @IfPresent()
  @IsString()
  since?: string;

  /** Returns only this level. Defaults to `all`. */
  @IfNotEmpty()
  @IsIn(['all', ...LEVEL_NAMES])
  level?: string;

  /** Name of an agent, or `all`. */
  @IfNotEmpty()
  @IsFilledText(255)
  agentName?: string;

  /** Id of an agent, or `all`. */
  @IfNotEmpty()
  @IsFilledText(36)
  agentId?: string;

  /** Returns this level and more severe ones. */
  @IfNotEmpty()
  @IsIn(['all', ...LEVEL_NAMES])
  minLevel?: string;

  /** Returns the lines of one request: its `X-Request-Id`. */
  @IfNotEmpty()
  @IsFilledText(MAX_SEARCH_LENGTH)
  requestId?: string;

  /** Text that the message or another field contains, case-insensitive. */
  @IfNotEmpty()
  @IsFilledText(MAX_SEARCH_LENGTH)
  search?: string;

  /** Maximum number of lines, newest first chosen. Defaults to 100. */
  @IfPresent()
  @IsCount(MAX_LIMIT)
  limit?: string;
}

/** A line for the server's log. */
export class SubmittedLineBody {
  @IsIn(LEVEL_NAMES)
  level!: 'fatal' | 'error' | 'warn' | 'info' | 'log' | 'progress' | 'success' | 'debug' | 'trace';

  @IsFilledText(MAX_LINE_LENGTH)
  message!: string;

  /** Source of the line. */
  @IfPresent()
  @IsFilledText(100)
  source?: string;

  @IsOptional()
  @IsJsonObject(MAX_LINE_LENGTH)
  metadata?: Record<string, unknown> | null;
}

/** Body of `POST /api/server/logs` with lines to add. */
export class SubmitLogsBody {
  /** Up to 1000 lines. Without it, the request reads the log. */
  @IfPresent()
  @IsArray()
  @IsListOf(SubmittedLineBody, MAX_LINES)
  logs?: SubmittedLineBody[];
}

/** A line of the server's log, with its further fields. */
export class LogEntryView {
  /** 10 trace, 20 debug, 27 success, 28 progress, 29 log, 30 info, 40 warn, 50 error, 60 fatal. */
  level!: number;
  /** Epoch ms. */
  time!: number;
  msg!: string;
  /** @format uuid */
  agentId?: string;
  agentName?: string;
  /** Component that wrote the line. */
  part?: string;
  requestId?: string;
  /** Further fields of the line. */
  [field: string]: unknown;
}

/** The newest matching lines, oldest first; only `received` when lines were added. */
export class ServerLogsView {
  logs?: LogEntryView[];
  /** Number of lines in `logs`. */
  count?: number;
  /** Number of matching lines. */
  total?: number;
  requestedLevel?: string;
  /** Same as `requestedLevel`. */
  level?: string;
  agentName?: string;
  agentId?: string;
  /** Level names, most severe first. */
  levels?: string[];
  /** Number of added lines. */
  received?: number;
}

/** Result of clearing the log. */
export class ClearedLogsView {
  status!: 'success';
  message!: string;
  /** Number of cleared lines. */
  cleared!: number;
}

/** @throws AppError VALIDATION_ERROR */
export function toLogFilter(query: ServerLogsQuery, now: number): LogFilter {
  const agentId = unlessAll(query.agentId);
  if (agentId !== undefined && !isUuid(agentId)) {
    throw new AppError('VALIDATION_ERROR', 'agentId must be a UUID or "all"');
  }
  return {
    since: parseTime('since', query.since) ?? now - HOUR_MS,
    level: unlessAll(query.level) as LevelName | undefined,
    agentName: unlessAll(query.agentName),
    agentId: agentId?.toLowerCase(),
    minLevel: unlessAll(query.minLevel) as LevelName | undefined,
    requestId: query.requestId || undefined,
    search: query.search || undefined,
    limit: Number(query.limit ?? DEFAULT_LIMIT),
  };
}

export function presentLogs(found: { logs: LogEntry[]; total: number }, query: ServerLogsQuery): ServerLogsView {
  const [level, agentName, agentId] = [query.level, query.agentName, query.agentId].map((value) => unlessAll(value) ?? 'all');
  return {
    logs: found.logs,
    count: found.logs.length,
    total: found.total,
    requestedLevel: level,
    level,
    agentName,
    agentId,
    levels: LEVEL_NAMES,
  };
}

function unlessAll(value: string | undefined): string | undefined {
  return value === 'all' || value === '' ? undefined : value;
}

/** The web UI sends empty text for unset filters. */
function IfNotEmpty(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined && value !== '');
}
