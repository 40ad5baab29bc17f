import { AppError } from '../../core/errors/index.js';

/**
 * Why a model did not respond. `key`, `quota`, `rate`, `model`, `address`, `timeout`, `service` and `response` concern every request;
 * `context` and `request` only the one that failed.
 */
export type ModelErrorReason = 'key' | 'quota' | 'rate' | 'model' | 'address' | 'timeout' | 'service' | 'response' | 'context' | 'request';

/** The failure of a model call. Its details tell the operator what to do. */
export class ModelError extends AppError {
  constructor(
    readonly reason: ModelErrorReason,
    message: string,
    details: string,
    cause?: unknown,
    /** The limit of the model's context, where the service says it, tokens. */
    readonly contextTokens?: number,
  ) {
    super(REJECTIONS.has(reason) ? 'MODEL_REJECTED' : 'MODEL_UNAVAILABLE', message, details, cause);
  }

  /** Whether other requests to the model may succeed nevertheless. */
  get ofRequest(): boolean {
    return this.reason === 'context' || this.reason === 'request';
  }
}

const REJECTIONS: ReadonlySet<ModelErrorReason> = new Set(['key', 'model', 'context', 'request']);
