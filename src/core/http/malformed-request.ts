import type { Duplex } from 'node:stream';
import { AppError, errorBody } from '../errors/index.js';
import { newId } from '../ids/index.js';

const DETAILS: Record<string, string> = {
  HPE_INVALID_METHOD: 'Its method is unknown.',
  HPE_HEADER_OVERFLOW: 'Its headers are too large.',
};

/** Rejects requests that are not valid HTTP, in the error envelope; handler of the server's `clientError` event. */
export function rejectMalformedRequest(error: Error & { code?: string }, socket: Duplex): void {
  const hasResponse = (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent;
  if (!socket.writable || hasResponse || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestId = newId();
  const failure =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new AppError('REQUEST_TIMEOUT', 'The request did not arrive in time.', 'Send it in one go; its sender may be too slow.')
      : new AppError('BAD_REQUEST', 'The request is not valid HTTP.', DETAILS[error.code ?? ''] ?? 'Check its first line and its headers.');
  const body = JSON.stringify({ success: false, error: errorBody(failure), requestId });
  const head = [
    `HTTP/1.1 ${failure.status} ${failure.status === 408 ? 'Request Timeout' : 'Bad Request'}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
