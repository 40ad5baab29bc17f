import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { currentRequestId } from '../context/request-context.js';

let root: Logger = pino({ level: 'silent' });

/** Sets up the one logger of the process: a JSON object a line on standard output. */
export function configureLogging(level: string): void {
  root = pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
  });
}

type Fields = Record<string, unknown>;

/** Log lines of one part of the program. Never give it secrets or whole bodies. */
export class Log {
  constructor(private readonly part: string) {}

  /** @param fields or what gives them, for a line that is hardly ever wanted and often passed */
  debug(message: string, fields: Fields | (() => Fields) = {}): void {
    if (!root.isLevelEnabled('debug')) return;
    root.debug({ part: this.part, ...(typeof fields === 'function' ? fields() : fields) }, message);
  }

  info(message: string, fields: Fields = {}): void {
    root.info({ part: this.part, ...fields }, message);
  }

  warn(message: string, fields: Fields = {}): void {
    root.warn({ part: this.part, ...fields }, message);
  }

  error(message: string, error?: unknown, fields: Fields = {}): void {
    root.error({ part: this.part, ...(error === undefined ? {} : { err: error }), ...fields }, message);
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
