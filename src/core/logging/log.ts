import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Level, type Logger, type StreamEntry } from 'pino';
import { currentRequestId, currentTrace } from '../context/request-context.js';
import { announceErrorLine } from './error-lines.js';
import { RecentLines } from './recent-lines.js';
import { redact, redactText } from './redaction.js';

/** Recent log lines of this process, of level info and above regardless of LOG_LEVEL. */
export const recentLines = new RecentLines();

let root: Logger = makeRoot('silent');

interface LoggingOptions {
  /** Minimum level. */
  readonly level: string;
  /** `auto` is `pretty` when standard output is a terminal, else `json`. */
  readonly format: 'auto' | 'json' | 'pretty';
  /** Whether colours may be used; they are used in a terminal only. */
  readonly colours: boolean;
}

/** Configures the logger of the process, which writes to standard output. */
export async function configureLogging({ level, format, colours }: LoggingOptions): Promise<void> {
  const { isTTY } = process.stdout;
  const json = pino.destination(1);
  const pretty = format === 'pretty' || (format === 'auto' && isTTY);
  // Loaded only where it is used, because its packages take memory.
  const out = pretty ? new (await import('./pretty-lines.js')).PrettyLines(json, isTTY && colours) : json;
  root = makeRoot(level, out);
}

function makeRoot(level: string, out: DestinationStream = pino.destination(1)): Logger {
  const verbose = level === 'trace' || level === 'debug';
  const streams: StreamEntry[] = [{ level: verbose ? level : 'info', stream: recentLines }];
  if (level !== 'silent') streams.push({ level: level as Level, stream: out });
  return pino(
    {
      level: verbose ? level : 'info',
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors are converted to plain objects before.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const requestId = currentRequestId();
        const trace = currentTrace();
        return {
          ...(requestId === undefined ? {} : { requestId }),
          ...(trace ? { traceId: trace.traceId, spanId: trace.spanId } : {}),
        };
      },
    },
    pino.multistream(streams),
  );
}

type Fields = Record<string, unknown>;

/** Logger of one part of the program. It redacts secrets on a best-effort basis; never log whole bodies. */
export class Log {
  constructor(private readonly part: string) {}

  /** @param fields the fields, or on a hot path a function that returns them */
  debug(message: string, fields: Fields | (() => Fields) = {}): void {
    if (root.isLevelEnabled('debug')) this.write('debug', message, typeof fields === 'function' ? fields() : fields);
  }

  info(message: string, fields: Fields = {}): void {
    this.write('info', message, fields);
  }

  warn(message: string, fields: Fields = {}): void {
    this.write('warn', message, fields);
  }

  error(message: string, error?: unknown, fields: Fields = {}): void {
    this.write('error', message, { ...(error === undefined ? {} : { err: error }), ...fields });
    announceErrorLine({ part: this.part, message, error, fields });
  }

  /** For lines of other sources, which have a level of their own. */
  write(level: Level, message: string, fields: Fields): void {
    if (!root.isLevelEnabled(level)) return;
    root[level]({ part: this.part, ...(redact(fields) as Fields) }, redactText(message));
  }
}

/** Contexts in which Nest logs an error that it throws as well, and that the start of the application reports. */
const THROWN = new Set<unknown>(['ExceptionHandler', 'NestApplication']);

/** Routes Nest's log lines to the same logger; its informational lines, and errors that it throws as well, have level debug. */
export class NestLog implements LoggerService {
  private readonly lines = new Log('nest');

  log(message: unknown): void {
    this.lines.debug(String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (THROWN.has(rest.at(-1))) return this.log(message);
    this.lines.error(String(message), undefined, rest.length > 0 ? { rest } : {});
  }

  warn(message: unknown): void {
    this.lines.warn(String(message));
  }
}
