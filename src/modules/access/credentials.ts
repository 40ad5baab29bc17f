import type { HttpRequest } from '../../core/http/index.js';

/** Values of headers, of a socket's handshake or of a query that may hold a credential. */
export interface Credentials {
  readonly apiKey?: unknown;
  readonly authorization?: unknown;
  /** Accepted only as a session token, if QUERY_TOKENS is set. */
  readonly queryToken?: unknown;
}

export function credentialsOf(request: HttpRequest): Credentials {
  return {
    apiKey: request.get('x-api-key'),
    authorization: request.get('authorization'),
    ...(request.method === 'GET' ? { queryToken: request.query['access_token'] } : {}),
  };
}

/** The text of a credential: X-API-KEY, or Authorization: Bearer. */
export function tokenIn({ apiKey, authorization }: Credentials): string | undefined {
  if (typeof apiKey === 'string' && apiKey !== '') return apiKey;
  return typeof authorization === 'string' ? /^Bearer +(\S+)$/i.exec(authorization)?.[1] : undefined;
}
