import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { Log, recentLines, type LogLine } from '../../core/logging/index.js';
import { AgentsService } from '../agents/index.js';
import { LEVELS, levelNumber, type LevelName } from './log-levels.js';

/** A line of the server's log, as the API returns it. */
export interface LogEntry {
  readonly level: number;
  /** Epoch ms. */
  readonly time: number;
  readonly msg: string;
  readonly agentId?: string;
  readonly agentName?: string;
  readonly [field: string]: unknown;
}

export interface LogFilter {
  /** Epoch ms. */
  readonly since: number;
  /** Returns only this level. */
  readonly level?: LevelName;
  readonly agentName?: string;
  readonly agentId?: string;
  /** Returns this level and more severe ones. */
  readonly minLevel?: LevelName;
  readonly requestId?: string;
  /** Text of any field, case-insensitive. */
  readonly search?: string;
  readonly limit: number;
}

/** A log line from a client. */
export interface SubmittedLine {
  readonly level: LevelName;
  readonly message: string;
  readonly source?: string;
  readonly metadata?: Record<string, unknown>;
}

// The nearest level of the log for each level of the API; the original name is kept in the field `as`.
const LOG_LEVELS = {
  fatal: 'fatal',
  error: 'error',
  warn: 'warn',
  info: 'info',
  log: 'info',
  progress: 'info',
  success: 'info',
  debug: 'debug',
  trace: 'trace',
} as const;

/** The newest log lines of this process. */
@Injectable()
export class ServerLogs {
  constructor(
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The newest matching lines, oldest first, and the total number of matches. */
  query(filter: LogFilter): { logs: LogEntry[]; total: number } {
    const logs: LogEntry[] = [];
    let total = 0;
    for (const line of recentLines.newestFirst()) {
      const entry = this.entryOf(line);
      if (entry.time < filter.since) break;
      if (!matches(entry, filter)) continue;
      total += 1;
      if (logs.length < filter.limit) logs.push(entry);
    }
    return { logs: logs.reverse(), total };
  }

  submit(lines: readonly SubmittedLine[]): void {
    for (const { level, message, source, metadata = {} } of lines) {
      const own = LOG_LEVELS[level];
      new Log(source === undefined ? 'client' : `client ${source}`).write(own, message, {
        ...metadata,
        ...(own === level ? {} : { as: level }),
      });
    }
  }

  /** @returns the number of cleared lines */
  async clear(): Promise<number> {
    const entry = { target: ['server', 'server'], summary: 'Cleared the recent lines of the server log.' } as const;
    await this.unitOfWork.commit([auditEntry('logs.cleared', entry, this.clock.now())]);
    return recentLines.clear();
  }

  /** Calls the listener with each new line. The listener must not throw, block or log. @returns the unsubscribe function */
  listen(listener: (entry: LogEntry) => void): () => void {
    return recentLines.subscribe((line) => listener(this.entryOf(line)));
  }

  private entryOf({ level, time, msg, err, as, ...fields }: LogLine): LogEntry {
    const { agentId } = fields;
    const agentName = typeof agentId === 'string' ? this.agents.find(agentId)?.name : undefined;
    return {
      ...fields,
      level: typeof as === 'string' && Object.hasOwn(LEVELS, as) ? levelNumber(as) : levelNumber(level),
      time: Date.parse(time),
      msg,
      ...(agentName === undefined ? {} : { agentName }),
      ...(err === undefined ? {} : { err: withoutStack(err) }),
    };
  }
}

function matches(entry: LogEntry, filter: LogFilter): boolean {
  const { level, agentId, agentName, requestId } = entry;
  return (
    (filter.level === undefined || level === LEVELS[filter.level]) &&
    (filter.minLevel === undefined || level >= LEVELS[filter.minLevel]) &&
    (filter.agentId === undefined || agentId === filter.agentId) &&
    (filter.agentName === undefined || agentName === filter.agentName) &&
    (filter.requestId === undefined || requestId === filter.requestId) &&
    (filter.search === undefined || contains(entry, filter.search.toLowerCase()))
  );
}

/** @param text in lower case */
function contains(value: unknown, text: string): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some((part) => contains(part, text));
  return String(value).toLowerCase().includes(text);
}

/** Removes stack traces, which only the local log may contain. */
function withoutStack(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { stack: _stack, cause, ...rest } = error as Record<string, unknown>;
  return { ...rest, ...(cause === undefined ? {} : { cause: withoutStack(cause) }) };
}
