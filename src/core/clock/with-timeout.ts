import type { Clock } from './clock.js';

export interface TimeoutOptions {
  /** Ends the wait early. */
  readonly signal?: AbortSignal;
  /** Begins the error's message, which ends with "within … ms". */
  readonly message?: string;
}

/**
 * Waits for work at most `ms`. Work that exceeds the limit is abandoned, not stopped: its signal aborts, and its result is ignored.
 *
 * @throws Error after `ms`; the reason of `options.signal`; what the work throws
 */
export function withTimeout<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => T | Promise<T>,
  { signal: outer, message = 'it did not end' }: TimeoutOptions = {},
): Promise<T> {
  const over = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: unknown): void => {
      over.abort(reason);
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const onAbort = (): void => stop(outer?.reason);
    if (outer?.aborted) return onAbort();
    outer?.addEventListener('abort', onAbort, { once: true });
    const cancel = clock.after(ms, () => stop(new Error(`${message} within ${ms} ms`)));
    const running = Promise.resolve().then(() => work(over.signal));
    void running.then(resolve, reject);
    const cleanUp = (): void => {
      cancel();
      outer?.removeEventListener('abort', onAbort);
    };
    void running.then(cleanUp, cleanUp);
    over.signal.addEventListener('abort', cleanUp, { once: true });
  });
}
