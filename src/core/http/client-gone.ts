import type { HttpResponse } from './express.js';

/** Aborts when the connection ends before, or after, the answer is out: work for it may stop then. */
export function clientGone(response: HttpResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}

/** Settles when the connection takes more, or has ended. */
export function drained(response: HttpResponse, signal: AbortSignal): Promise<void> {
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
