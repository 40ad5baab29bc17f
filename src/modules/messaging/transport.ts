import { AppError } from '../../core/errors/index.js';

export type Transport = 'http' | 'sse' | 'websocket';

const WORDS: Record<string, Transport> = { http: 'http', sync: 'http', sse: 'sse', stream: 'sse', websocket: 'websocket' };

/** What a body may say of it; null is the same as nothing. */
export const TRANSPORT_SCHEMA = { type: ['string', 'null'], enum: [...Object.keys(WORDS), null] };

/** How the caller wants to hear the answer; `mode` is the older name of the field. @throws AppError VALIDATION_ERROR */
export function transportOf(body: { transport?: unknown; mode?: unknown }): Transport {
  for (const field of ['transport', 'mode'] as const) {
    const word = body[field] ?? undefined;
    if (word === undefined || (typeof word === 'string' && Object.hasOwn(WORDS, word))) continue;
    throw new AppError(
      'VALIDATION_ERROR',
      `${field} must be one of ${Object.keys(WORDS).join(', ')}`,
      'Leave it out to hear the answer over socket.io.',
    );
  }
  return WORDS[(body.transport ?? body.mode ?? 'websocket') as string]!;
}
