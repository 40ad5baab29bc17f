import { AppError } from '../../core/errors/index.js';

/** More than the longest explanation of a refusal, bytes. */
const MAX_REFUSAL_BYTES = 100_000;

/** The service responded with an error status. */
export class StatusError extends Error {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    /** The text of the response. */
    readonly body: string,
  ) {
    super(`status ${status}: ${body}`);
    this.name = 'StatusError';
  }
}

/** The service could not be reached. The cause is that of `fetch`. */
export class ConnectionError extends Error {}

interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** Sends a request and waits for the head of its response. @throws StatusError; ConnectionError; AppError of the guard; the signal's reason */
export async function askService(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<Response> {
  const { url, headers, fetch } = endpoint;
  let response: Response;
  try {
    response = await fetch(url, { method: 'POST', headers, body, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw new ConnectionError('The service could not be reached.', { cause: error });
  }
  if (response.ok) return response;
  throw new StatusError(response.status, response.headers, await beginningOf(response, signal));
}

async function beginningOf(response: Response, signal: AbortSignal): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      text += decoder.decode(value, { stream: !done });
      bytes += value?.byteLength ?? 0;
      if (done) return text;
      if (bytes > MAX_REFUSAL_BYTES) break;
    }
    await reader.cancel();
  } catch {
    // The status is known, and says more than that the rest did not arrive.
    signal.throwIfAborted();
  }
  return text;
}
