import type { Clock } from './clock.js';

/**
 * Runs somebody else's code for at most `ms`. Its signal aborts when the time is up or `outer` aborts; it is not waited for then.
 *
 * @throws the reason of `outer`; Error when the time is up; what the work throws
 */
export function limited<T>(clock: Clock, ms: number, outer: AbortSignal, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const over = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: unknown): void => {
      over.abort(reason);
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const onAbort = (): void => stop(outer.reason);
    if (outer.aborted) return onAbort();
    outer.addEventListener('abort', onAbort, { once: true });
    const cancel = clock.after(ms, () => stop(new Error(`it did not end within ${ms} ms`)));
    const running = Promise.resolve().then(() => work(over.signal));
    void running.then(resolve, reject);
    const cleanUp = (): void => {
      cancel();
      outer.removeEventListener('abort', onAbort);
    };
    void running.then(cleanUp, cleanUp);
    over.signal.addEventListener('abort', cleanUp, { once: true });
  });
}
