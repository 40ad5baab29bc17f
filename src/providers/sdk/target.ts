import type { AppError } from '../../core/errors/index.js';
import { ModelFault } from './model-fault.js';
import type { Clock } from '../../core/clock/index.js';

/** Learns how calls of a model end, except calls that the caller aborts. */
export interface CallWatch {
  succeeded(): void;
  failed(error: AppError): void;
}

/** Names of the settings that select a service and its model, as errors name them. */
export interface SettingNames {
  /** Absent for a service without keys. */
  readonly key?: string;
  readonly address: string;
  readonly model: string;
}

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
  /** A hint for the operator, where `names` is absent or no remedy is known. */
  readonly hint: string;
  /** Names of the settings that select the service and the model, for advice in errors. */
  readonly names?: SettingNames;
  readonly watch?: CallWatch;
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
    this.cleanups.push(target.clock.after(target.timeoutMs, () => this.controller.abort(this.timeout())));
  }

  /** Aborted with the caller's reason, or with an AppError on timeout. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** By the wall clock; when that is changed, the signal still comes in time. */
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
    const { provider, modelId, timeoutMs, names, hint } = this.target;
    const message = `${provider} (${modelId}) did not respond within ${timeoutMs} ms.`;
    const advice = names === undefined ? hint : `Check that the service at ${names.address} is running, or raise MODEL_TIMEOUT_MS.`;
    return new ModelFault('timeout', message, advice);
  }
}
