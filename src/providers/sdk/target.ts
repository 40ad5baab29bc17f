import { AppError } from '../../core/errors/index.js';
import type { Clock } from '../../core/clock/index.js';

/** A model of a service, with its limits and the data for error messages. */
export interface SdkTarget {
  readonly provider: string;
  readonly modelId: string;
  /** Whether the model accepts images. Defaults to false. */
  readonly supportsImages?: boolean;
  /** Whether the model accepts PDF documents. Defaults to false. */
  readonly supportsDocuments?: boolean;
  /** Retries after the first attempt. */
  readonly retries: number;
  /** Time limit of a call with all its retries, ms. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** A hint for the operator; the `details` of every error. */
  readonly hint: string;
  /** The agent setting with the service's address; undefined for the operator's service. */
  readonly addressSetting?: string;
  /** Redacted from messages of the service before they are logged. */
  readonly secret?: string;
  /** Pause before the first retry, ms; it doubles with each further retry. */
  readonly backoffMs?: number;
}

/** Aborts a call when a caller's signal is aborted or the time limit expires. */
export class CallDeadline {
  private readonly controller = new AbortController();
  private readonly deadline: number;
  private readonly cleanups: (() => void)[] = [];

  /** @throws the reason of a signal that is already aborted */
  constructor(
    private readonly target: SdkTarget,
    callers: readonly AbortSignal[],
  ) {
    for (const caller of callers) caller.throwIfAborted();
    for (const caller of callers) {
      const onAbort = (): void => this.controller.abort(caller.reason);
      caller.addEventListener('abort', onAbort, { once: true });
      this.cleanups.push(() => caller.removeEventListener('abort', onAbort));
    }
    this.deadline = target.clock.now() + target.timeoutMs;
    this.cleanups.push(target.clock.at(this.deadline, () => this.controller.abort(this.timeout())));
  }

  /** Aborted with the caller's reason, or with an AppError on timeout. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  remainingMs(): number {
    return this.deadline - this.target.clock.now();
  }

  /** Waits; rejects with the signal's reason when it is aborted. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        cancel();
        reject(this.signal.reason as Error);
      };
      const cancel = this.target.clock.after(ms, () => {
        this.signal.removeEventListener('abort', onAbort);
        resolve();
      });
      this.signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Removes the listeners and the timer. */
  release(): void {
    for (const letGo of this.cleanups.splice(0)) letGo();
  }

  /** Releases the deadline and aborts the call. */
  close(): void {
    this.release();
    this.controller.abort();
  }

  private timeout(): AppError {
    const { provider, modelId, timeoutMs, hint } = this.target;
    return new AppError('MODEL_UNAVAILABLE', `${provider} (${modelId}) did not respond within ${timeoutMs} ms.`, hint);
  }
}
