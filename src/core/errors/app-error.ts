import { errorDefinition, type ErrorCode, type ErrorKind } from './error-codes.js';

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
 * The only error that services throw. Its code determines its kind, and the kind the HTTP status. Only the edges (HTTP filter, gateway,
 * plugin host, command line) translate it.
 */
export class AppError extends Error {
  /** Seconds after which a retry makes sense; undefined when unknown. */
  retryAfterSeconds?: number;

  /**
   * @param code    one of `ErrorCodes`
   * @param message one sentence for the caller that names the cause, with the field if there is one
   * @param details a remedy or more information; the message by default, never empty
   * @param cause   the original error; logged, never sent to a client
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: string = message,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
  }

  get kind(): ErrorKind {
    return errorDefinition(this.code).kind;
  }

  get status(): number {
    return STATUS[this.kind];
  }

  /** Sets the retry delay (`Retry-After` over HTTP). @returns this error */
  retryAfter(seconds: number): this {
    this.retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    return this;
  }
}

/** The HTTP status of an error code. */
export function statusOfCode(code: ErrorCode): number {
  return STATUS[errorDefinition(code).kind];
}

/** The error as clients receive it, over every transport: `error` of the HTTP envelope, of a socket acknowledgement, of a stream. */
export interface ErrorBody {
  code: string;
  message: string;
  details: string;
}

export function errorBody(error: AppError): ErrorBody {
  return { code: error.code, message: error.message, details: error.details };
}
