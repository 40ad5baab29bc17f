import type { HttpResponse } from './express.js';

// Shared: creating one records a stack trace, and every response closes.
const DISCONNECTED = new DOMException('This operation was aborted', 'AbortError');

/** A signal that aborts when the connection closes, so that work for the response can stop. */
export function disconnectSignal(response: HttpResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort(DISCONNECTED);
  else response.once('close', () => gone.abort(DISCONNECTED));
  return gone.signal;
}

/** Resolves when the response accepts more data, or the signal aborts. */
export function waitForDrain(response: HttpResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
