import type { LoggerService } from '@nestjs/common';
import { pino, type Level, type Logger, type StreamEntry } from 'pino';
import { currentRequestId } from '../context/request-context.js';
import { RecentLines } from './recent-lines.js';
import { redact, redactText } from './redaction.js';

/** What this process has logged lately, from level info on whatever LOG_LEVEL is. */
export const recentLines = new RecentLines();

let root: Logger = makeRoot('silent');

/** Sets up the one logger of the process: a JSON object a line on standard output. */
export function configureLogging(level: string): void {
  root = makeRoot(level);
}

function makeRoot(level: string): Logger {
  const talkative = level === 'trace' || level === 'debug';
  const streams: StreamEntry[] = [{ level: talkative ? level : 'info', stream: recentLines }];
  if (level !== 'silent') streams.push({ level: level as Level, stream: pino.destination(1) });
  return pino(
    {
      level: talkative ? level : 'info',
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      // An error is a plain object already when it comes here.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const requestId = currentRequestId();
        return requestId === undefined ? {} : { requestId };
      },
    },
    pino.multistream(streams),
  );
}

type Fields = Record<string, unknown>;

/** Log lines of one part of the program. Secrets are blotted out, but do not count on it; never give it whole bodies. */
export class Log {
  constructor(private readonly part: string) {}

  /** @param fields or what gives them, for a line that is hardly ever wanted and often passed */
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
  }

  /** For lines that come from elsewhere and bring their level along. */
  write(level: Level, message: string, fields: Fields): void {
    if (!root.isLevelEnabled(level)) return;
    root[level]({ part: this.part, ...(redact(fields) as Fields) }, redactText(message));
  }
}

/** Nest's own lines through the same logger; its chatter at start is at debug level. */
export class NestLog implements LoggerService {
  private readonly lines = new Log('nest');

  log(message: unknown): void {
    this.lines.debug(String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.lines.error(String(message), undefined, rest.length > 0 ? { rest } : {});
  }

  warn(message: unknown): void {
    this.lines.warn(String(message));
  }
}
