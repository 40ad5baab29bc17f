import type { Cancel, Clock } from '../../core/clock/index.js';
import type { AppError } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { RotatingQueue } from '../../core/queue/index.js';

/** Shorter than the shortest time limits of turns and models. */
const BEAT_MS = 500;
const LONGEST_BACKOFF_MS = 8000;
/** After so long without a refusal, the service is called without a limit again. */
const FORGET_MS = 300_000;

/** A call that waits for its service. */
export interface WaitingCall {
  /** The agent and the user, who share the service with others. */
  readonly shares: readonly string[];
  readonly signal: AbortSignal;
  /** Epoch ms. */
  readonly waitsSince: number;
  /** How much longer it may wait, ms. */
  readonly leftMs: number;
  /** It has waited so long, ms; called again and again. */
  waited(ms: number): void;
}

/** The calls that wait for one service. */
export interface HeldCalls {
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  /** How long the oldest has waited, ms; 0 when none waits. */
  readonly oldestMs: number;
  /** The latest refusal of the service. */
  readonly refusal: Refusal | undefined;
}

interface Refusal {
  /** Epoch ms. */
  readonly at: number;
  readonly error: AppError;
}

interface Waiter {
  readonly call: WaitingCall;
  readonly go: (round: number) => void;
  readonly fail: (error: Error) => void;
}

/**
 * How many calls of a model run at a time. There is no limit until the service refuses one because of its load. Then no call begins before
 * the time that the service names, and half as many run at a time; each round of calls that succeed allows one more. Calls beyond wait.
 */
export class ServiceLimit {
  private readonly log = new Log('models');
  private most = Number.POSITIVE_INFINITY;
  private running = 0;
  /** Rises with each refusal that lowers the limit: calls that began before do not lower it again. */
  private round = 0;
  /** Rounds since the service accepted a call. */
  private fruitless = 0;
  private acceptedCalls = 0;
  private refusal: Refusal | undefined;
  private pause: { readonly until: number; readonly cancel: Cancel } | undefined;
  private readonly queue = new RotatingQueue<Waiter>();
  /** Those of the queue that still wait. */
  private readonly waiters = new Set<Waiter>();
  private cancelBeat: Cancel | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly service: { readonly provider: string; readonly model: string },
  ) {}

  /** The calls that wait. */
  get held(): HeldCalls {
    const now = this.clock.now();
    const oldestMs = [...this.waiters].reduce((oldest, { call }) => Math.max(oldest, now - call.waitsSince), 0);
    return { ...this.service, calls: this.waiters.size, oldestMs, refusal: this.refusal };
  }

  /** Number of calls that the service has accepted. */
  get accepted(): number {
    return this.acceptedCalls;
  }

  /**
   * Waits until a call may begin. It then counts until `leave`.
   *
   * @returns the round, for `refuse`
   * @throws the latest refusal when the wait takes longer than the call may; the signal's reason
   */
  enter(call: WaitingCall): Promise<number> | number {
    if (this.waiters.size === 0 && this.isOpen()) {
      this.running += 1;
      return this.round;
    }
    return new Promise<number>((resolve, reject) => {
      const onAbort = (): void => waiter.fail(call.signal.reason as Error);
      const end = (): void => {
        this.waiters.delete(waiter);
        call.signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        call,
        go: (round) => {
          end();
          resolve(round);
        },
        fail: (error) => {
          end();
          reject(error);
        },
      };
      if (call.signal.aborted) return waiter.fail(call.signal.reason as Error);
      call.signal.addEventListener('abort', onAbort, { once: true });
      this.waiters.add(waiter);
      this.queue.add(waiter, call.shares);
      if (!this.failIfTooLong(waiter)) this.startBeat();
    });
  }

  /** The service has begun to respond. */
  accept(): void {
    this.acceptedCalls += 1;
    this.fruitless = 0;
  }

  /**
   * The service refused a call because of its load.
   *
   * @param round of the call
   * @param backoffMs the pause when the service names none, and in addition when it refuses again, ms; it doubles each time
   */
  refuse(round: number, error: AppError, retryAfterMs: number | undefined, backoffMs: number): void {
    const now = this.clock.now();
    const isFirst = round === this.round;
    const isVague = retryAfterMs === undefined || this.fruitless > 0;
    const backoff = isFirst && isVague ? Math.min(backoffMs * 2 ** this.fruitless, LONGEST_BACKOFF_MS) : 0;
    this.refusal = { at: now, error };
    if (isFirst) {
      this.round += 1;
      this.fruitless += 1;
      this.most = Math.max(1, Math.floor(Math.min(this.most, this.running) / 2));
      this.log.warn('the service accepts no more calls for the moment; further ones wait', {
        ...this.service,
        ...{ retryAfterMs, concurrency: this.most, reason: error.message },
      });
    }
    this.pauseFor((retryAfterMs ?? 0) + backoff);
  }

  /** A call has ended. @param succeeded whether it ended with the whole response */
  leave(succeeded: boolean): void {
    this.running -= 1;
    if (succeeded && this.waiters.size > 0) this.most += 1 / this.most;
    this.admit();
  }

  private isOpen(): boolean {
    if (this.refusal && this.clock.now() - this.refusal.at >= FORGET_MS) this.most = Number.POSITIVE_INFINITY;
    return !this.pause && this.running + 1 <= this.most;
  }

  private pauseFor(ms: number): void {
    const until = this.clock.now() + ms;
    if (ms === 0 || (this.pause && this.pause.until >= until)) return;
    this.pause?.cancel();
    const cancel = this.clock.after(ms, () => {
      this.pause = undefined;
      this.admit();
    });
    this.pause = { until, cancel };
    for (const waiter of this.waiters) this.failIfTooLong(waiter);
  }

  private admit(): void {
    while (this.waiters.size > 0 && this.isOpen()) {
      const waiter = this.queue.take();
      if (!waiter) return;
      if (!this.waiters.has(waiter)) continue;
      this.running += 1;
      waiter.go(this.round);
    }
  }

  /** @returns whether it failed */
  private failIfTooLong(waiter: Waiter): boolean {
    const paused = this.pause ? this.pause.until - this.clock.now() : 0;
    if (!this.refusal || (waiter.call.leftMs > 0 && paused <= waiter.call.leftMs)) return false;
    waiter.fail(this.refusal.error);
    return true;
  }

  private startBeat(): void {
    this.cancelBeat ??= this.clock.after(BEAT_MS, () => {
      this.cancelBeat = undefined;
      for (const waiter of this.waiters) {
        waiter.call.waited(BEAT_MS);
        this.failIfTooLong(waiter);
      }
      // The limit may be over without the end of a call.
      this.admit();
      if (this.waiters.size > 0) this.startBeat();
    });
  }
}
