import type { HttpRequest, HttpResponse } from '../../core/http/index.js';
import type { Exchange } from './exchange.js';
import type { Repetition } from './protocol-request.js';

/** By what a request over HTTP is recognised when the client repeats it. @param createdId of its Idempotency-Key (`CreatedId`) */
export function repetitionOf(request: HttpRequest, createdId: string | undefined): Repetition {
  const { rawBody } = request as { rawBody?: Buffer };
  return { createdId, isRetry: Number(request.get('x-stainless-retry-count') ?? 0) >= 1, body: rawBody ?? JSON.stringify(request.body) };
}

/** Tells the caller the conversation, the message, and where the native stream of the reply is, which can be resumed. */
export function setExchangeHeaders(response: HttpResponse, { message: { channelId, id } }: Pick<Exchange, 'message'>): void {
  response.set('X-Conversation-Id', channelId);
  response.set('X-Message-Id', id);
  response.set('Content-Location', `/api/messaging/channels/${channelId}/messages/${id}/events`);
}
