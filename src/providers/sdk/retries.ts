import { AttemptFailure, toAttemptFailure } from './failure.js';
import type { CallDeadline, SdkTarget } from './target.js';

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8000;

/**
 * Retries until the call succeeds, the failure is not retryable, or the deadline expires. Waits for `Retry-After` of the service plus a
 * randomized exponential backoff.
 *
 * @throws AppError MODEL_UNAVAILABLE or MODEL_REJECTED; the reason of the deadline's signal
 */
export async function withRetries<T>(target: SdkTarget, limit: CallDeadline, attempt: () => Promise<T>): Promise<T> {
  const translated = async (): Promise<T> => {
    try {
      return await attempt();
    } catch (error) {
      throw await toAttemptFailure(error, target);
    }
  };
  try {
    // Most calls succeed at once and need none of the machinery of retries.
    const outcome = await translated().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    limit.signal.throwIfAborted();
    if ('value' in outcome) return outcome.value;
    const { default: pRetry } = await import('p-retry');
    const repeated = async (attemptNumber: number): Promise<T> => {
      if (attemptNumber === 1) throw outcome.error;
      return await translated();
    };
    return await pRetry(repeated, {
      retries: target.retries,
      minTimeout: target.backoffMs ?? MIN_BACKOFF_MS,
      maxTimeout: MAX_BACKOFF_MS,
      randomize: true,
      signal: limit.signal,
      shouldRetry: ({ error }) => error instanceof AttemptFailure && error.retryable,
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (retriesLeft === 0 || !(error instanceof AttemptFailure) || error.retryAfterMs === undefined) return;
        // Waiting would end in a timeout, which is later and less specific than this error.
        if (error.retryAfterMs >= limit.remainingMs()) throw error;
        await limit.sleep(error.retryAfterMs);
      },
    });
  } catch (error) {
    limit.signal.throwIfAborted();
    throw error instanceof AttemptFailure ? error.error : error;
  }
}
