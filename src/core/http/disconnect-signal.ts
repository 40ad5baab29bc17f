import type { HttpResponse } from './express.js';

/** A signal that aborts when the connection closes, so that work for the response can stop. */
export function disconnectSignal(response: HttpResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once('close', () => gone.abort());
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
