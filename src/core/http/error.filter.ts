import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { storageError } from '../database/index.js';
import { AppError, errorBody, type ErrorCode } from '../errors/index.js';
import { currentRequestId } from '../context/request-context.js';
import { Log } from '../logging/index.js';
import { AnswerGiven } from './answer-given.js';

// Refusals that Nest, express and the body parsers make by themselves, by status.
const BY_STATUS: Record<number, { code: ErrorCode; message: string; details: string }> = {
  400: { code: 'BAD_REQUEST', message: 'The request could not be understood.', details: 'Check its path, headers and body.' },
  401: { code: 'UNAUTHORIZED', message: 'A credential is needed.', details: 'Send the API key as X-API-KEY or Authorization: Bearer.' },
  403: { code: 'FORBIDDEN', message: 'This is not allowed.', details: 'The credential does not cover this operation.' },
  404: { code: 'NOT_FOUND', message: 'API endpoint not found', details: 'There is no operation with this method and path.' },
  413: { code: 'PAYLOAD_TOO_LARGE', message: 'The request body is too large.', details: 'Send less, or raise BODY_LIMIT_BYTES.' },
  415: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'The request body has an unsupported media type or charset.',
    details: 'Send UTF-8 JSON with Content-Type: application/json.',
  },
  429: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.', details: 'Wait as Retry-After says.' },
  503: { code: 'STORAGE_UNAVAILABLE', message: 'The service is unavailable at the moment.', details: 'Try again shortly.' },
};

/** Turns any error into the one that a client may see; what is not meant for clients becomes INTERNAL_ERROR. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { status, type } = refusal(error);
  if (type === 'entity.parse.failed') {
    return new AppError('INVALID_JSON', 'The request body is not valid JSON.', `The parser said: ${(error as Error).message}`);
  }
  // Of the system, or of a query that nobody has looked after.
  const stored = storageError(error ?? {});
  if (stored instanceof AppError) return stored;
  const known = status === undefined ? undefined : (BY_STATUS[status] ?? (status < 500 ? BY_STATUS[400] : undefined));
  if (known) return new AppError(known.code, known.message, known.details, error);
  return new AppError(
    'INTERNAL_ERROR',
    'An unexpected fault happened.',
    `The server's log holds the cause under request id ${currentRequestId() ?? 'unknown'}.`,
    error,
  );
}

function refusal(error: unknown): { status?: number; type?: string } {
  if (error instanceof HttpException) {
    const cause = error.cause as { type?: string } | undefined;
    // Nest passes a parser's error on as its own exception and keeps only the text.
    const malformed = error.getStatus() === 400 && /JSON/.test(error.message);
    return { status: error.getStatus(), type: cause?.type ?? (malformed ? 'entity.parse.failed' : undefined) };
  }
  const { status, type } = (error ?? {}) as { status?: unknown; type?: string };
  return typeof status === 'number' && status >= 400 && status < 500 ? { status, type } : {};
}

/** The only place where a failure becomes an HTTP answer: the envelope of the specification, whatever went wrong. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Log('http');

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    if (error instanceof AnswerGiven) return;
    const response = host.switchToHttp().getResponse<Response>();
    if (response.closed && (error as Error | undefined)?.name === 'AbortError') {
      this.log.debug('work was stopped because its client went away');
      return;
    }
    const failure = toAppError(error);
    if (failure.status >= 500) this.log.error(failure.message, failure.cause ?? failure, { code: failure.code });
    else this.log.debug('refused', { code: failure.code, message: failure.message });
    if (response.headersSent) {
      // Part of the answer is out: only a cut connection tells the client that the rest is missing.
      response.destroy();
      return;
    }
    if (failure.retryAfterSeconds !== undefined) response.setHeader('Retry-After', failure.retryAfterSeconds);
    // RFC 9110 section 11.6.1; browsers ask nobody for a password because of this scheme.
    if (failure.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    response.status(failure.status).json({ success: false, error: errorBody(failure), requestId: currentRequestId() });
  }
}
