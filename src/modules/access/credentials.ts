import type { HttpRequest } from '../../core/http/index.js';

/** Headers, a socket's handshake, or a query, as far as credentials are looked for in them. */
export interface Credentials {
  readonly apiKey?: unknown;
  readonly authorization?: unknown;
  /** Taken for session tokens only, where QUERY_TOKENS allows it. */
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
