import { AppError } from '../../core/errors/index.js';
import type { Clock } from '../../core/clock/index.js';

/** One model of one service: how errors name it, and how long and how often it is tried. */
export interface SdkTarget {
  readonly provider: string;
  readonly modelId: string;
  /** Whether the model takes pictures; not when it is not said. */
  readonly supportsImages?: boolean;
  /** Whether it takes PDF documents; not when it is not said. */
  readonly supportsDocuments?: boolean;
  /** Further tries after the first. */
  readonly retries: number;
  /** Time for one call with all its tries, ms. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** What whoever runs the server can do when it fails; the `details` of every error. */
  readonly hint: string;
  /** The setting of an agent that names the service's address; undefined for a service of the operator. */
  readonly addressSetting?: string;
  /** Blotted out of whatever the service says, before it reaches a log. */
  readonly secret?: string;
  /** Pause before the second try, ms; it doubles with each further one. */
  readonly backoffMs?: number;
}

/** What ends one call before its time: a caller's signal or the time limit, whichever comes first. */
export class CallLimit {
  private readonly controller = new AbortController();
  private readonly deadline: number;
  private readonly letGo: (() => void)[] = [];

  /** @throws the reason of a caller's signal that is aborted already */
  constructor(
    private readonly target: SdkTarget,
    callers: readonly AbortSignal[],
  ) {
    for (const caller of callers) caller.throwIfAborted();
    for (const caller of callers) {
      const onAbort = (): void => this.controller.abort(caller.reason);
      caller.addEventListener('abort', onAbort, { once: true });
      this.letGo.push(() => caller.removeEventListener('abort', onAbort));
    }
    this.deadline = target.clock.now() + target.timeoutMs;
    this.letGo.push(target.clock.at(this.deadline, () => this.controller.abort(this.timeout())));
  }

  /** Aborted with the caller's reason, or with the AppError that says the time is up. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  leftMs(): number {
    return this.deadline - this.target.clock.now();
  }

  /** Waits; rejects with the signal's reason when it is aborted in the meantime. */
  pause(ms: number): Promise<void> {
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

  /** Lets go of the callers' signals and the timer. */
  release(): void {
    for (const letGo of this.letGo.splice(0)) letGo();
  }

  /** Releases, and closes what is still open under this limit. */
  close(): void {
    this.release();
    this.controller.abort();
  }

  private timeout(): AppError {
    const { provider, modelId, timeoutMs, hint } = this.target;
    return new AppError('MODEL_UNAVAILABLE', `${provider} (${modelId}) was not done within ${timeoutMs} ms.`, hint);
  }
}
