import { ERROR_CODES, type ErrorCode, type ErrorKind } from './error-codes.js';

const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  not_received: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  not_implemented: 501,
  unavailable: 503,
  timeout: 504,
  storage_full: 507,
};

/**
 * The only error that services throw. Its code fixes its kind, the kind fixes the HTTP status; the edges
 * (HTTP filter, gateway, plugin host, command line) translate it, nothing else does.
 */
export class AppError extends Error {
  readonly kind: ErrorKind;
  /** When it makes sense to try again, seconds from now; undefined when that is not known. */
  retryAfterSeconds?: number;

  /**
   * @param code    entry of the register in `error-codes.ts`
   * @param message one sentence for the caller: what was wrong, by field name
   * @param details the way out, or more of the circumstances; defaults to the message (never empty)
   * @param cause   what led to it; goes to the log, never to a client
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: string = message,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.kind = ERROR_CODES[code].kind;
  }

  get status(): number {
    return STATUS[this.kind];
  }

  /** The same error, telling when to try again (`Retry-After` over HTTP). */
  retryAfter(seconds: number): this {
    this.retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    return this;
  }
}

/** The HTTP status of a code of the register. */
export function statusOfCode(code: ErrorCode): number {
  return STATUS[ERROR_CODES[code].kind];
}

/** The error as clients see it, on every road: `error` of the HTTP envelope, of a socket acknowledgement, of a stream. */
export interface ErrorBody {
  code: string;
  message: string;
  details: string;
}

export function errorBody(error: AppError): ErrorBody {
  return { code: error.code, message: error.message, details: error.details };
}
