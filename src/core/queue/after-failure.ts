const LONGEST_BACKOFF_MS = 3_600_000;

export interface RetryPolicy {
  /** Attempts before a job becomes a dead letter, the first included. */
  readonly attempts: number;
  /** Pause before the second attempt, ms. Each further pause is four times as long, up to an hour. */
  readonly backoffMs: number;
}

/**
 * The state after a failed attempt: another attempt after a pause, or a dead letter, which is retried on request only. Half of the pause is
 * random, so that jobs that failed together are not retried together.
 *
 * @param attempts attempts made so far, including this one
 */
export function afterFailure(attempts: number, policy: RetryPolicy, now: number): { status: 'failed'; dueAt: number } | { status: 'dead' } {
  if (attempts >= policy.attempts) return { status: 'dead' };
  const full = Math.min(policy.backoffMs * 4 ** (attempts - 1), LONGEST_BACKOFF_MS);
  return { status: 'failed', dueAt: now + Math.ceil(full / 2 + (full / 2) * Math.random()) };
}
