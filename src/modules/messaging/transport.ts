import { AppError } from '../../core/errors/index.js';

export type Transport = 'http' | 'sse' | 'websocket';

const WORDS: Record<string, Transport> = { http: 'http', sync: 'http', sse: 'sse', stream: 'sse', websocket: 'websocket' };

/** How the caller wants to hear the answer; `mode` is the older name of the field. @throws AppError VALIDATION_ERROR */
export function transportOf(body: { transport?: unknown; mode?: unknown }): Transport {
  const word = body.transport ?? body.mode ?? 'websocket';
  const transport = typeof word === 'string' && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  if (!transport) {
    throw new AppError(
      'VALIDATION_ERROR',
      `transport must be one of ${Object.keys(WORDS).join(', ')}`,
      'Leave it out to hear the answer over socket.io.',
    );
  }
  return transport;
}
