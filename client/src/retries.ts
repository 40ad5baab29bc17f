import { NetworkError, ParleyError, RateLimitedError, UnavailableError } from './errors.js';

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/** Time to wait before the attempt with this number (1 for the first repetition), ms: doubled each time, half of it random. */
export function backoffMs(attempt: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return whole / 2 + (Math.random() * whole) / 2;
}

/** How long to wait before a request is repeated, or undefined when its failure would be the same again. @param attempt from 1 */
export function retryDelayMs(error: unknown, attempt: number): number | undefined {
  if (error instanceof RateLimitedError || error instanceof UnavailableError) {
    const wait = Math.max(error.retryAfterMs ?? 0, backoffMs(attempt));
    return wait <= LONGEST_MS ? wait : undefined;
  }
  if (error instanceof NetworkError) return backoffMs(attempt);
  // The first request with the same key is still being worked on.
  if (error instanceof ParleyError && error.code === 'IDEMPOTENCY_IN_PROGRESS') return error.retryAfterMs ?? backoffMs(attempt);
  return undefined;
}

/** Waits; rejects with the reason of the signal when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
