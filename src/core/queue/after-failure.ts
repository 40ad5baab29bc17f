const LONGEST_BACKOFF_MS = 3_600_000;
const FACTOR = 4;

export interface RetryPolicy {
  /** Attempts before a job has failed for good, the first included. */
  readonly attempts: number;
  /** Pause before the second attempt, ms. */
  readonly backoffMs: number;
  /** Each further pause is longer by this factor; 4 by default. */
  readonly factor?: number;
  /** Longest pause, ms; an hour by default. */
  readonly longestMs?: number;
  /** Whether pauses are exact. By default half of a pause is random, so that jobs that failed together are not retried together. */
  readonly isExact?: boolean;
}

/**
 * When a job is tried again after a failed attempt; undefined when it has failed for good, and is retried on request only.
 *
 * @param attempts attempts made so far, including this one
 */
export function afterFailure(
  attempts: number,
  { attempts: most, backoffMs, factor = FACTOR, longestMs = LONGEST_BACKOFF_MS, isExact = false }: RetryPolicy,
  now: number,
): { readonly dueAt: number } | undefined {
  if (attempts >= most) return undefined;
  const full = Math.min(backoffMs * factor ** (attempts - 1), longestMs);
  return { dueAt: now + Math.ceil(isExact ? full : full / 2 + (full / 2) * Math.random()) };
}
