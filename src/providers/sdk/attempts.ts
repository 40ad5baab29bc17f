import pRetry from 'p-retry';
import { AttemptFailure, failureOf } from './failure.js';
import type { CallLimit, SdkTarget } from './target.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/**
 * Tries until it succeeds, may not be tried again, or the limit ends it. Waits as long as the service asks for
 * (`Retry-After`), and on top of that a pause that grows and is never the same for two callers.
 *
 * @throws AppError MODEL_UNAVAILABLE or MODEL_REJECTED; the limit's reason when that ended it
 */
export async function withAttempts<T>(target: SdkTarget, limit: CallLimit, attempt: () => Promise<T>): Promise<T> {
  const translated = async (): Promise<T> => {
    try {
      return await attempt();
    } catch (error) {
      throw await failureOf(error, target);
    }
  };
  try {
    return await pRetry(translated, {
      retries: target.retries,
      minTimeout: target.backoffMs ?? FIRST_PAUSE_MS,
      maxTimeout: LONGEST_PAUSE_MS,
      randomize: true,
      signal: limit.signal,
      shouldRetry: ({ error }) => error instanceof AttemptFailure && error.retryable,
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (retriesLeft === 0 || !(error instanceof AttemptFailure) || error.retryAfterMs === undefined) return;
        // Waiting would only turn this answer into a time-out, later and with less to say.
        if (error.retryAfterMs >= limit.leftMs()) throw error;
        await limit.pause(error.retryAfterMs);
      },
    });
  } catch (error) {
    limit.signal.throwIfAborted();
    throw error instanceof AttemptFailure ? error.error : error;
  }
}
