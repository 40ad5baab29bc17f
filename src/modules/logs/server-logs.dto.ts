import { IsArray, IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { IfPresent, IsCount, IsFilledText, IsJsonObject, IsListOf, timeOf } from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';
import { isUuid } from '../../core/ids/index.js';
import { LEVEL_NAMES, type LevelName } from './log-levels.js';
import type { LogEntry, LogFilter } from './server-logs.service.js';

const HOUR_MS = 3_600_000;
const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 1000;
const MOST_LINES = 1000;
const LONGEST_LINE = 10_000;

/** Query of `GET /api/server/logs`. */
export class ServerLogsQuery {
  /** Not older than this, epoch ms or an ISO 8601 instant; an hour ago when absent. */
  @IfPresent()
  @IsString()
  since?: string;

  /** This level alone; `all` when absent. */
  @IfSaid()
  @IsIn(['all', ...LEVEL_NAMES])
  level?: string;

  /** Name of an agent, or `all`. */
  @IfSaid()
  @IsFilledText(255)
  agentName?: string;

  /** Id of an agent, or `all`. */
  @IfSaid()
  @IsFilledText(36)
  agentId?: string;

  /** How many lines at most, 100 when absent; the newest are given. */
  @IfPresent()
  @IsCount(LARGEST_LIMIT)
  limit?: string;
}

/** A line for the server's log. */
export class SubmittedLineBody {
  @IsIn(LEVEL_NAMES)
  level!: 'fatal' | 'error' | 'warn' | 'info' | 'log' | 'progress' | 'success' | 'debug' | 'trace';

  @IsFilledText(LONGEST_LINE)
  message!: string;

  /** What the line comes from. */
  @IfPresent()
  @IsFilledText(100)
  source?: string;

  @IsOptional()
  @IsJsonObject(LONGEST_LINE)
  metadata?: Record<string, unknown> | null;
}

/** Body of `POST /api/server/logs` that puts lines into the log. */
export class SubmitLogsBody {
  /** At most 1000 lines; without them the log is read. */
  @IfPresent()
  @IsArray()
  @IsListOf(SubmittedLineBody, MOST_LINES)
  logs?: SubmittedLineBody[];
}

/** A line of the server's log; what else it says stands beside these. */
export class LogEntryView {
  /** 10 trace, 20 debug, 27 success, 28 progress, 29 log, 30 info, 40 warn, 50 error, 60 fatal. */
  level!: number;
  /** Epoch ms. */
  time!: number;
  msg!: string;
  /** @format uuid */
  agentId?: string;
  agentName?: string;
  /** Part of the program that wrote it. */
  part?: string;
  requestId?: string;
  /** What else the line says. */
  [field: string]: unknown;
}

/** The newest lines that match, oldest first; `received` alone when lines were put into the log. */
export class ServerLogsView {
  logs?: LogEntryView[];
  /** How many lines are in `logs`. */
  count?: number;
  /** How many lines match. */
  total?: number;
  requestedLevel?: string;
  /** The same as `requestedLevel`. */
  level?: string;
  agentName?: string;
  agentId?: string;
  /** Names of levels, the most severe first. */
  levels?: string[];
  /** How many lines were put into the log. */
  received?: number;
}

/** The log was cleared. */
export class ClearedLogsView {
  status!: 'success';
  message!: string;
  /** How many lines there were. */
  cleared!: number;
}

/** @throws AppError VALIDATION_ERROR */
export function toLogFilter(query: ServerLogsQuery, now: number): LogFilter {
  const agentId = named(query.agentId);
  if (agentId !== undefined && !isUuid(agentId)) {
    throw new AppError('VALIDATION_ERROR', 'agentId must be a UUID or "all"');
  }
  return {
    since: timeOf('since', query.since) ?? now - HOUR_MS,
    level: named(query.level) as LevelName | undefined,
    agentName: named(query.agentName),
    agentId: agentId?.toLowerCase(),
    limit: Number(query.limit ?? DEFAULT_LIMIT),
  };
}

export function presentLogs(found: { logs: LogEntry[]; total: number }, query: ServerLogsQuery): ServerLogsView {
  const [level, agentName, agentId] = [query.level, query.agentName, query.agentId].map((value) => named(value) ?? 'all');
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

function named(value: string | undefined): string | undefined {
  return value === 'all' || value === '' ? undefined : value;
}

/** The web interface sends an empty text where nothing was chosen. */
function IfSaid(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined && value !== '');
}
