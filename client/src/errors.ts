/** Everything that a response says about its failure. */
export interface ErrorFields {
  /** Code of docs/reference/errors.md, such as `SESSION_NOT_FOUND`. */
  readonly code: string;
  readonly message: string;
  readonly details: string;
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /** Finds the request in the server's log. */
  readonly requestId?: string | undefined;
  /** Time after which the request may be repeated, ms. */
  readonly retryAfterMs?: number | undefined;
}

/** A request failed. Subclasses tell the kinds of failures apart. */
export class ParleyError extends Error implements ErrorFields {
  override readonly name: string = 'ParleyError';
  readonly code: string;
  readonly details: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor({ code, message, details, status, requestId, retryAfterMs }: ErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The request is wrong: a field is missing or has a value that is not allowed (400, 415, 422). */
export class InvalidError extends ParleyError {
  override readonly name = 'InvalidError';
}
/** The credential is missing, wrong, expired or revoked (401). */
export class UnauthenticatedError extends ParleyError {
  override readonly name = 'UnauthenticatedError';
}
/** The credential does not allow the operation (403). */
export class ForbiddenError extends ParleyError {
  override readonly name = 'ForbiddenError';
}
/** There is no such thing (404). */
export class NotFoundError extends ParleyError {
  override readonly name = 'NotFoundError';
}
/** The state of the server does not allow the operation now (409). */
export class ConflictError extends ParleyError {
  override readonly name = 'ConflictError';
}
/** The thing has ended, such as an expired session (410). */
export class GoneError extends ParleyError {
  override readonly name = 'GoneError';
}
/** The request has too much content (413). */
export class TooLargeError extends ParleyError {
  override readonly name = 'TooLargeError';
}
/** Too many requests; `retryAfterMs` says when to go on (429). */
export class RateLimitedError extends ParleyError {
  override readonly name = 'RateLimitedError';
}
/** The server, or a service that it needs, can't work now (503). */
export class UnavailableError extends ParleyError {
  override readonly name = 'UnavailableError';
}
/** The agent could not reply, or its reply was stopped; `code` says which. */
export class AnswerError extends ParleyError {
  override readonly name = 'AnswerError';
}
/** A response took too long (408, 504), or longer than the client waits. */
export class TimeoutError extends ParleyError {
  override readonly name = 'TimeoutError';
}
/** There was no response: the server can't be reached, or the connection was cut. */
export class NetworkError extends ParleyError {
  override readonly name = 'NetworkError';
}

const CLASSES: Readonly<Record<number, new (fields: ErrorFields, options?: ErrorOptions) => ParleyError>> = {
  400: InvalidError,
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  408: TimeoutError,
  409: ConflictError,
  410: GoneError,
  413: TooLargeError,
  415: InvalidError,
  422: InvalidError,
  429: RateLimitedError,
  503: UnavailableError,
  504: TimeoutError,
};

/** The error of a failed response. */
export function errorFrom(fields: ErrorFields): ParleyError {
  return new (CLASSES[fields.status] ?? ParleyError)(fields);
}

/** @param hint what may be the matter, when the cause does not say it */
export function networkError(cause: unknown, hint = ''): NetworkError {
  return new NetworkError(
    {
      code: 'NETWORK_ERROR',
      message: 'The server did not respond.',
      details: `${cause instanceof Error ? cause.message : 'The connection failed.'}${hint}`,
      status: 0,
    },
    { cause },
  );
}
