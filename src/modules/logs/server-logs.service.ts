import { Injectable } from '@nestjs/common';
import { Log, recentLines, type LogLine } from '../../core/logging/index.js';
import { AgentsService } from '../agents/index.js';
import { LEVELS, levelNumber, type LevelName } from './log-levels.js';

/** A line of the server's log as clients get it. */
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
  /** This level alone. */
  readonly level?: LevelName;
  readonly agentName?: string;
  readonly agentId?: string;
  readonly limit: number;
}

/** A line that somebody else wants in the log. */
export interface SubmittedLine {
  readonly level: LevelName;
  readonly message: string;
  readonly source?: string;
  readonly metadata?: Record<string, unknown>;
}

// Names of levels that the log does not have itself are kept beside the level they are nearest to.
const OWN_LEVEL = {
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

/** The newest lines of this process's log, for those who may see them. */
@Injectable()
export class ServerLogs {
  constructor(private readonly agents: AgentsService) {}

  /** The newest lines that match, oldest first, and how many matched altogether. */
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
      const own = OWN_LEVEL[level];
      new Log(source === undefined ? 'client' : `client ${source}`).write(own, message, {
        ...metadata,
        ...(own === level ? {} : { as: level }),
      });
    }
  }

  /** @returns how many lines there were */
  clear(): number {
    return recentLines.clear();
  }

  /** Hears each line as it is written. Must not throw, wait or log. */
  listen(listener: (entry: LogEntry) => void): () => void {
    return recentLines.listen((line) => listener(this.entryOf(line)));
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

function matches({ level, agentId, agentName }: LogEntry, filter: LogFilter): boolean {
  return (
    (filter.level === undefined || level === LEVELS[filter.level]) &&
    (filter.agentId === undefined || agentId === filter.agentId) &&
    (filter.agentName === undefined || agentName === filter.agentName)
  );
}

/** Where in the program something failed is for the log on this machine alone. */
function withoutStack(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { stack: _stack, cause, ...rest } = error as Record<string, unknown>;
  return { ...rest, ...(cause === undefined ? {} : { cause: withoutStack(cause) }) };
}
