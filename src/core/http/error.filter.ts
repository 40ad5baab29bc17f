import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Request, Response } from 'express';
import { storageError } from '../database/index.js';
import { AppError, errorBody, type ErrorCode } from '../errors/index.js';
import { currentRequestId } from '../context/request-context.js';
import { Log } from '../logging/index.js';
import { ResponseSent } from './response-sent.js';
import { ErrorFormats, type ToErrorBody } from './error-format.js';

// Errors of Nest, Express and the body parsers, by status.
const BY_STATUS: Record<number, { code: ErrorCode; message: string; details: string }> = {
  400: { code: 'BAD_REQUEST', message: 'The request is malformed.', details: 'Check its path, headers and body.' },
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

/** Converts any error to one that clients may see; unexpected errors become INTERNAL_ERROR. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { status, type } = httpErrorOf(error);
  if (type === 'entity.parse.failed') {
    return new AppError('INVALID_JSON', 'The request body is not valid JSON.', `Parser message: ${(error as Error).message}`);
  }
  // Errors of the operating system, or of a query whose caller did not convert them.
  const stored = storageError(error ?? {});
  if (stored instanceof AppError) return stored;
  const known = status === undefined ? undefined : (BY_STATUS[status] ?? (status < 500 ? BY_STATUS[400] : undefined));
  if (known) return new AppError(known.code, known.message, known.details, error);
  return new AppError(
    'INTERNAL_ERROR',
    'An unexpected fault happened.',
    `The server's log contains the cause under request id ${currentRequestId() ?? 'unknown'}.`,
    error,
  );
}

function httpErrorOf(error: unknown): { status?: number; type?: string } {
  if (error instanceof HttpException) {
    const cause = error.cause as { type?: string } | undefined;
    // Nest wraps a parser's error in its own exception and keeps only the message.
    const malformed = error.getStatus() === 400 && /JSON/.test(error.message);
    return { status: error.getStatus(), type: cause?.type ?? (malformed ? 'entity.parse.failed' : undefined) };
  }
  const { status, type } = (error ?? {}) as { status?: unknown; type?: string };
  return typeof status === 'number' && status >= 400 && status < 500 ? { status, type } : {};
}

/** Converts failures to HTTP responses, in the envelope of the specification or in the format of the path's protocol (`ErrorFormat`). */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Log('http');
  private readonly formats: ErrorFormats;

  /** @param modules searched for controllers that declare an error format */
  constructor(modules: ModulesContainer = new ModulesContainer()) {
    this.formats = new ErrorFormats(modules);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    if (error instanceof ResponseSent) return;
    const response = host.switchToHttp().getResponse<Response>();
    if (response.closed && (error as Error | undefined)?.name === 'AbortError') {
      this.log.debug('work stopped: the client disconnected');
      return;
    }
    const failure = toAppError(error);
    const { method, path } = host.switchToHttp().getRequest<Request>();
    if (isRefusal(failure)) this.log.warn(failure.message, { code: failure.code, method, path });
    else if (failure.status >= 500) this.log.error(failure.message, failure.cause ?? failure, { code: failure.code, method, path });
    else this.log.debug('refused', { code: failure.code, message: failure.message });
    if (response.headersSent) {
      // Only a closed connection tells the client that the rest is missing. A complete response leaves it usable.
      if (!response.writableEnded) response.destroy();
      return;
    }
    if (failure.retryAfterSeconds !== undefined) response.setHeader('Retry-After', failure.retryAfterSeconds);
    // Required by RFC 9110 section 11.6.1. With this scheme, browsers show no password dialog.
    if (failure.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    const toBody = this.formats.of(path) ?? errorEnvelope;
    response.status(failure.status).json(toBody(failure, currentRequestId()));
  }
}

/** Whether the server works as it should and cannot do this, or not now. */
function isRefusal({ status, kind, retryAfterSeconds }: AppError): boolean {
  return status >= 500 && (kind === 'not_implemented' || retryAfterSeconds !== undefined);
}

/** The body of a failed request, in the envelope of the specification. */
export const errorEnvelope: ToErrorBody = (failure, requestId) => ({ success: false, error: errorBody(failure), requestId });
