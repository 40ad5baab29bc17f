import { AppError } from '../../../core/errors/index.js';

export type Transport = 'http' | 'sse' | 'websocket';

const TRANSPORTS: Record<string, Transport> = { http: 'http', sync: 'http', sse: 'sse', stream: 'sse', websocket: 'websocket' };

/**
 * Schema of the body field; null means absent. An operation of the document has one kind of response, since generated clients know no
 * other: those that stream are described at a path of their own.
 */
export const TRANSPORT_SCHEMA = {
  type: ['string', 'null'],
  enum: [...Object.keys(TRANSPORTS).filter((word) => TRANSPORTS[word] !== 'sse'), null],
};

/** The transport of the reply that a request asks for; `mode` is the older name of the field. @throws AppError VALIDATION_ERROR */
export function transportOf(body: { transport?: unknown; mode?: unknown }): Transport {
  for (const field of ['transport', 'mode'] as const) {
    const word = body[field] ?? undefined;
    if (word === undefined || (typeof word === 'string' && Object.hasOwn(TRANSPORTS, word))) continue;
    throw new AppError(
      'VALIDATION_ERROR',
      `${field} must be one of ${Object.keys(TRANSPORTS).join(', ')}`,
      'Omit it to receive the reply over socket.io.',
    );
  }
  return TRANSPORTS[(body.transport ?? body.mode ?? 'websocket') as string]!;
}
