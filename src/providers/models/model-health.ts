import type { Clock } from '../../core/clock/index.js';
import type { AppError } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { BoundedCache, ModelError, type CallWatch } from '../sdk/index.js';

/** The outcome of the latest calls of a model in this process. Instants are epoch ms. */
export interface ModelReport {
  readonly kind: 'chat' | 'embeddings';
  readonly provider: string;
  readonly model: string;
  /** Whether an agent's settings name the service or its key. */
  readonly ofAgent: boolean;
  /** Whether the last call failed for a reason that concerns every call. */
  readonly failing: boolean;
  readonly lastSuccessAt: number | null;
  /** The last failure since the last success. */
  readonly lastFailure: ModelFailure | null;
  /** What operators should know although the model responds, for an hour after it was seen last. */
  readonly notice: ModelNotice | null;
}

export interface ModelNotice {
  readonly at: number;
  readonly message: string;
  /** What the operator can do. */
  readonly details: string;
}

export interface ModelFailure {
  readonly at: number;
  readonly code: string;
  /** `ModelErrorReason`; null for a failure of another kind. */
  readonly reason: string | null;
  readonly message: string;
  /** What the operator can do. */
  readonly details: string;
}

const NOTICE_MS = 3_600_000;

type Watched = Pick<ModelReport, 'kind' | 'provider' | 'model' | 'ofAgent'>;

/** Whether models respond, as their calls show: nothing is asked for this report alone. */
export class ModelHealth {
  private readonly watches = new BoundedCache<ModelWatch>();

  constructor(private readonly clock: Clock) {}

  /** @param key distinguishes services with the same provider and model */
  watch(key: string, watched: Watched): CallWatch {
    return this.watches.getOrCreate(`${watched.kind} ${key}`, () => new ModelWatch(watched, this.clock));
  }

  /** The models that have been called. */
  reports(): ModelReport[] {
    return this.watches
      .values()
      .map((watch) => watch.report())
      .filter(({ lastSuccessAt, lastFailure }) => lastSuccessAt !== null || lastFailure !== null);
  }
}

class ModelWatch implements CallWatch {
  private readonly log = new Log('models');
  private failing = false;
  private lastSuccessAt: number | null = null;
  private lastFailure: ModelFailure | null = null;
  private notice: ModelNotice | null = null;

  constructor(
    private readonly watched: Watched,
    private readonly clock: Clock,
  ) {}

  succeeded(): void {
    if (this.failing) this.log.info('the model responds again', { ...this.watched });
    this.failing = false;
    this.lastSuccessAt = this.clock.now();
    this.lastFailure = null;
  }

  /** Logs the cause once for as long as it stays the same. */
  failed(error: AppError): void {
    const { code, message, details } = error;
    const fault = error instanceof ModelError ? error : undefined;
    if (this.lastFailure?.message !== message) {
      this.log.error('the model does not respond', error.cause, { ...this.watched, code, reason: message, advice: details });
    }
    // A request that is at fault itself says nothing about the next one.
    if (fault?.ofRequest !== true) this.failing = true;
    this.lastFailure = { at: this.clock.now(), code, reason: fault?.reason ?? null, message, details };
  }

  /** Logs the same notice once an hour. */
  noticed(message: string, details: string): void {
    const isNew = this.currentNotice()?.details !== details;
    this.notice = { at: this.clock.now(), message, details };
    if (isNew) this.log.warn('the model needs attention', { ...this.watched, reason: message, advice: details });
  }

  report(): ModelReport {
    const { failing, lastSuccessAt, lastFailure } = this;
    return { ...this.watched, failing, lastSuccessAt, lastFailure, notice: this.currentNotice() };
  }

  private currentNotice(): ModelNotice | null {
    return this.notice !== null && this.clock.now() - this.notice.at < NOTICE_MS ? this.notice : null;
  }
}
