import type { AppError } from '../../core/errors/index.js';
import { ModelError } from './model-error.js';
import { SilenceLimit, type Clock } from '../../core/clock/index.js';

/** Learns how calls of a model end, except calls that the caller aborts. */
export interface CallWatch {
  succeeded(): void;
  failed(error: AppError): void;
  /** Something that is no failure, and what the operator can do. */
  noticed(message: string, details: string): void;
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
  /** Time limit of a call with all its retries, ms; for a call that reports what it hears, of the silence between two events. */
  readonly timeoutMs: number;
  /** Time limit of a call with all its retries, ms; none when it is absent or 0. */
  readonly totalTimeoutMs?: number;
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

/** Aborts a call when a caller's signal is aborted or a time limit expires. */
export class CallDeadline {
  private readonly controller = new AbortController();
  private readonly total: number;
  private readonly cleanups: (() => void)[] = [];
  private deadline: number;
  private readonly silence: SilenceLimit;
  private hasHeard = false;

  /** @throws the reason of a signal that is already aborted */
  constructor(
    private readonly target: SdkTarget,
    callers: readonly AbortSignal[],
  ) {
    const { clock, timeoutMs, totalTimeoutMs = 0 } = target;
    for (const caller of callers) caller.throwIfAborted();
    for (const caller of callers) {
      const onAbort = (): void => this.controller.abort(caller.reason);
      caller.addEventListener('abort', onAbort, { once: true });
      this.cleanups.push(() => caller.removeEventListener('abort', onAbort));
    }
    this.total = totalTimeoutMs > 0 ? clock.now() + totalTimeoutMs : Infinity;
    if (totalTimeoutMs > 0) this.cleanups.push(clock.after(totalTimeoutMs, () => this.controller.abort(this.tooLong(totalTimeoutMs))));
    this.silence = new SilenceLimit(clock, timeoutMs, () => this.controller.abort(this.silent()));
    this.cleanups.push(() => this.silence.end());
    this.deadline = clock.now() + timeoutMs;
  }

  /** Aborted with the caller's reason, or with an AppError on timeout. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** An attempt begins: the service has the whole time again. */
  restart(): void {
    const { clock, timeoutMs } = this.target;
    this.deadline = clock.now() + timeoutMs;
    this.silence.renew();
  }

  /** The service has sent something. */
  heard(): void {
    this.hasHeard = true;
    if (!this.signal.aborted) this.restart();
  }

  /** By the wall clock; when that is changed, the signal still comes in time. */
  remainingMs(): number {
    return Math.min(this.deadline, this.total) - this.target.clock.now();
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

  private silent(): AppError {
    const { provider, modelId, timeoutMs, names, hint } = this.target;
    const [what, advice] = this.hasHeard
      ? ['sent nothing more', 'Look at the log of the service']
      : ['did not respond', `Check that the service at ${names?.address ?? ''} is running`];
    const message = `${provider} (${modelId}) ${what} within ${timeoutMs} ms.`;
    return new ModelError('timeout', message, names === undefined ? hint : `${advice}, or raise MODEL_TIMEOUT_MS.`);
  }

  private tooLong(totalTimeoutMs: number): AppError {
    const { provider, modelId } = this.target;
    const message = `${provider} (${modelId}) did not finish within ${totalTimeoutMs} ms.`;
    return new ModelError('timeout', message, 'Raise MODEL_TOTAL_TIMEOUT_MS, or ask for a shorter reply.');
  }
}
