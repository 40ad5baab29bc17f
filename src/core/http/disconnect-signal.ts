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
