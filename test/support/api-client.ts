import { expectDocumented } from './api-document.js';

/** An answer with its body read: JSON when it is JSON, else the text. */
export interface ApiResponse<T = Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

// Bodies are looked at field by field in tests: their shape is what is being tested.
type Body = ReturnType<typeof JSON.parse>;

type Extra = { headers?: Record<string, string>; signal?: AbortSignal };

/** A reverse proxy answered in place of the server: nothing is known of what the server has done. */
export class ProxyFailure extends Error {}

/** @throws ProxyFailure when an answer is none of the server's, which explains each failure in JSON */
export function fromServer(response: Response): Response {
  const { status, headers } = response;
  if ([502, 503, 504].includes(status) && !/json/.test(headers.get('content-type') ?? '')) throw new ProxyFailure(String(status));
  return response;
}

/** A plain HTTP client for tests, which holds every answer against docs/reference/openapi.json. */
export class ApiClient {
  constructor(private readonly base: () => string) {}

  get(path: string, extra?: Extra): Promise<ApiResponse> {
    return this.send('GET', path, undefined, extra);
  }

  post(path: string, body?: unknown, extra?: Extra): Promise<ApiResponse> {
    return this.send('POST', path, body, extra);
  }

  patch(path: string, body?: unknown, extra?: Extra): Promise<ApiResponse> {
    return this.send('PATCH', path, body, extra);
  }

  delete(path: string, extra?: Extra): Promise<ApiResponse> {
    return this.send('DELETE', path, undefined, extra);
  }

  /** @param body a string or bytes are sent as they are, anything else as JSON */
  async send(method: string, path: string, body?: unknown, { headers = {}, signal }: Extra = {}): Promise<ApiResponse> {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
    const sent = await fetch(this.base() + path, {
      method,
      signal,
      headers: { ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
    });
    const response = fromServer(sent);
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    const answer = { status: response.status, headers: response.headers, body: json && text !== '' ? JSON.parse(text) : text };
    expectDocumented(method, path, { status: answer.status, type: response.headers.get('content-type') ?? '', body: answer.body });
    return answer;
  }
}
