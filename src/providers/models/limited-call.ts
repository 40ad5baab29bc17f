import { currentProgress } from '../../core/context/request-context.js';
import { AttemptFailure, ModelError, toAttemptFailure, type CallDeadline, type SdkTarget } from '../sdk/index.js';
import type { ServiceLimit, WaitingCall } from './service-limit.js';

/** How long a call of a turn waits for its service altogether. Others wait no longer than their time limit. */
const LONGEST_WAIT_MS = 600_000;
const BACKOFF_MS = 500;

/** A call of a service, which waits while the service accepts no more of them. Waiting is no failure, and does not count as a retry. */
export class LimitedCall implements WaitingCall {
  waitsSince = 0;
  leftMs: number;
  private hasPlace = false;
  private acceptedBefore = -1;
  /** Refusals without a time, in a row, while the service accepted no other call either. */
  private fruitless = 0;
  /** Kept, because the timer that counts the wait serves all calls. */
  private readonly progress = currentProgress();

  /** @param shares the agent and the user, who take turns while calls wait */
  constructor(
    private readonly limit: ServiceLimit,
    private readonly target: SdkTarget,
    private readonly deadline: CallDeadline,
    readonly shares: readonly string[],
  ) {
    this.leftMs = this.progress ? LONGEST_WAIT_MS : target.timeoutMs;
  }

  get signal(): AbortSignal {
    return this.deadline.signal;
  }

  waited(ms: number): void {
    this.leftMs -= ms;
    // Neither the model nor the turn is silent.
    this.deadline.restart();
    this.progress?.();
  }

  /** Makes an attempt when the service may be called, and another one after each refusal. @throws AttemptFailure; the signal's reason */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    this.waitsSince = this.target.clock.now();
    for (;;) {
      const round = await this.limit.enter(this);
      this.hasPlace = true;
      try {
        const result = await work();
        this.limit.accept();
        return result;
      } catch (error) {
        const failure = await toAttemptFailure(error, this.target);
        const isRefusal = asksToWait(failure) && !this.signal.aborted;
        if (isRefusal) this.limit.refuse(round, failure.error, failure.retryAfterMs, this.target.backoffMs ?? BACKOFF_MS);
        this.end(false);
        if (!isRefusal) throw failure;
        if (!this.mayWait(failure)) throw new AttemptFailure(failure.error, false);
      }
    }
  }

  /** Idempotent. @param succeeded whether the whole response has arrived */
  end(succeeded: boolean): void {
    if (this.hasPlace) this.limit.leave(succeeded);
    this.hasPlace = false;
  }

  /** A service that names no time and accepts no call may never accept one, so only the retries are left. */
  private mayWait({ retryAfterMs }: AttemptFailure): boolean {
    const { accepted } = this.limit;
    this.fruitless = accepted === this.acceptedBefore ? this.fruitless + 1 : 1;
    this.acceptedBefore = accepted;
    return retryAfterMs !== undefined || this.fruitless <= this.target.retries;
  }
}

/** Whether a service refuses a call because of its load: 429, and others with `Retry-After`. */
function asksToWait({ error, retryable, retryAfterMs }: AttemptFailure): boolean {
  return retryable && (retryAfterMs !== undefined || (error instanceof ModelError && error.reason === 'rate'));
}
