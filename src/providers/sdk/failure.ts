import type { APICallError } from '@ai-sdk/provider';
import { AppError } from '../../core/errors/index.js';
import { diagnoseAnswer, diagnoseSilence, diagnoseUnreadable, type Diagnosis } from './diagnosis.js';
import { ModelFault } from './model-fault.js';
import type { SdkTarget } from './target.js';

const MAX_QUOTE_LENGTH = 500;
const BROKEN_OFF = 'broke off before the answer was complete';
const INVALID = 'sent an invalid response';
/** The SDK for Anthropic reports a first event that it cannot read as status 500 with its own error as the body. */
const UNREADABLE_EVENT = /^\{"name":"AI_(JSONParse|TypeValidation)Error"/;

/** The failure of one attempt as an AppError, and whether it is retryable. */
export class AttemptFailure extends Error {
  constructor(
    readonly error: AppError,
    readonly retryable: boolean,
    /** `Retry-After` of the service, ms. */
    readonly retryAfterMs?: number,
  ) {
    super(error.message);
    this.name = 'AttemptFailure';
  }
}

/** Converts an error that an SDK model threw or sent in its stream. Never throws. */
export async function toAttemptFailure(thrown: unknown, target: SdkTarget): Promise<AttemptFailure> {
  if (thrown instanceof AttemptFailure) return thrown;
  const refusal = findAppError(thrown);
  if (refusal !== undefined) return new AttemptFailure(toAddressError(refusal, target), false);
  if (thrown instanceof StreamError) return toAttemptFailure(thrown.detail, target);
  // Imported here, so that only a failure loads it.
  const sdk = await import('@ai-sdk/provider');
  const fail = ({ reason, what, advice, retryable }: Diagnosis, retryAfterMs?: number): AttemptFailure => {
    const error = new ModelFault(
      reason,
      `${target.provider} (${target.modelId}) ${what}.`,
      target.names === undefined ? target.hint : advice,
      quote(thrown, target),
    );
    return new AttemptFailure(error, retryable, retryAfterMs);
  };

  if (sdk.APICallError.isInstance(thrown)) {
    const { statusCode: status, responseBody, isRetryable } = thrown;
    if (status === undefined) return fail(diagnoseSilence(thrown, target, isRetryable));
    if (UNREADABLE_EVENT.test(responseBody ?? '')) return fail(diagnoseUnreadable(INVALID, target, false));
    if (status >= 400) return fail(diagnoseAnswer(status, responseBody, target), retryAfterMs(thrown, target.clock.now()));
    if (isRetryable) return fail(diagnoseUnreadable(BROKEN_OFF, target, true));
    return fail(diagnoseUnreadable(`${INVALID} with status ${status}`, target, false));
  }
  if (thrown instanceof OtherContentError) return fail(diagnoseUnreadable(`sent ${thrown.mediaType} instead of an answer`, target, false));
  if (sdk.InvalidResponseDataError.isInstance(thrown) || thrown instanceof IncompleteStreamError) {
    return fail(diagnoseUnreadable(BROKEN_OFF, target, true));
  }
  if (sdk.JSONParseError.isInstance(thrown) || sdk.TypeValidationError.isInstance(thrown)) {
    return fail(diagnoseUnreadable(INVALID, target, false));
  }
  if (sdk.UnsupportedFunctionalityError.isInstance(thrown) || sdk.InvalidPromptError.isInstance(thrown)) {
    return fail({ reason: 'request', what: 'does not support this request', advice: target.hint, retryable: false });
  }
  if (thrown instanceof Error) return fail({ reason: 'service', what: 'failed', advice: target.hint, retryable: false });
  // The remaining cases are error objects that a service sends within a stream.
  return fail(diagnoseAnswer(undefined, thrown, target));
}

/** Finds an AppError of the outbound guard, also when the SDK wrapped it. */
function findAppError(thrown: unknown): AppError | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return [thrown, cause].find((error) => error instanceof AppError);
}

/** Users of an agent did not choose the address, so an invalid address in its settings is reported as an unavailable model. */
function toAddressError(refusal: AppError, { provider, modelId, addressSetting }: SdkTarget): AppError {
  if (addressSetting === undefined || refusal.code !== 'VALIDATION_ERROR') return refusal;
  const what = `${provider} (${modelId}) is not reachable at ${addressSetting} of the agent.`;
  return new ModelFault('address', what, `${refusal.message} ${refusal.details}`, refusal);
}

/** The stream of a model ended without a finish event. */
export class IncompleteStreamError extends Error {}

/** The service sent something else than the stream of a model, such as a page. */
export class OtherContentError extends Error {
  constructor(readonly mediaType: string) {
    super(`The service sent ${mediaType} instead of a stream.`);
  }
}

/** The stream of a model contained an error: an SDK error, or the object that the service sent. */
export class StreamError extends Error {
  constructor(readonly detail: unknown) {
    super('The stream contained an error.');
  }
}

/** The service's error message for the log, instead of the SDK's error, which contains the whole conversation. */
function quote(thrown: unknown, { secret }: SdkTarget): Error {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(JSON.stringify(thrown));
  const cause = new Error((secret === undefined ? text : text.replaceAll(secret, '[key]')).slice(0, MAX_QUOTE_LENGTH));
  if (thrown instanceof Error && thrown.stack !== undefined) cause.stack = `${cause.message}\n${frames(thrown.stack)}`;
  return cause;
}

function frames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

function retryAfterMs({ responseHeaders }: APICallError, now: number): number | undefined {
  const exact = Number(responseHeaders?.['retry-after-ms'] ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = responseHeaders?.['retry-after'];
  if (text === undefined) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
