import { AppError } from '../../core/errors/index.js';
import { cutText } from '../../core/text/index.js';
import { StatusError, ConnectionError } from './ask.js';
import { diagnoseResponse, diagnoseBreak, diagnoseSilence, diagnoseUnreadable, type Diagnosis } from './diagnosis.js';
import { ModelError } from './model-error.js';
import type { SdkTarget } from './target.js';

const MAX_QUOTE_LENGTH = 500;
const BROKEN_OFF = 'broke off before the response was complete';
const INVALID = 'sent an invalid response';

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

/** Converts an error that a call threw or that a service sent in its stream. Never throws. */
export async function toAttemptFailure(thrown: unknown, target: SdkTarget): Promise<AttemptFailure> {
  if (thrown instanceof AttemptFailure) return thrown;
  const refusal = findAppError(thrown);
  if (refusal !== undefined) return new AttemptFailure(toAddressError(refusal, target), false);
  if (thrown instanceof StreamError) return toAttemptFailure(thrown.detail, target);
  const fail = ({ reason, what, advice, retryable, contextTokens }: Diagnosis, retryAfterMs?: number): AttemptFailure => {
    const error = new ModelError(
      reason,
      `${target.provider} (${target.modelId}) ${what}.`,
      target.names === undefined ? target.hint : advice,
      quote(thrown, target),
      contextTokens,
    );
    return new AttemptFailure(error, retryable, retryAfterMs);
  };

  if (thrown instanceof StatusError) {
    const { status, body, headers } = thrown;
    const after = retryAfterMs((name) => headers.get(name) ?? undefined, target.clock.now());
    return fail(diagnoseResponse(status, body, target), after);
  }
  if (thrown instanceof ConnectionError) return fail(diagnoseSilence(thrown, target, isTransient(thrown.cause)));
  if (thrown instanceof ConnectionLostError) return fail(diagnoseBreak(BROKEN_OFF));
  if (thrown instanceof OtherContentError) return fail(diagnoseUnreadable(`sent ${thrown.mediaType} instead of a response`, target, false));
  if (thrown instanceof InvalidResponseError) return fail(diagnoseUnreadable(INVALID, target, false));
  if (thrown instanceof IncompleteStreamError) return fail(diagnoseUnreadable(BROKEN_OFF, target, true));
  // Imported here, so that only a failure of a service for speech loads it.
  const sdk = await import('@ai-sdk/provider');
  if (sdk.APICallError.isInstance(thrown)) {
    const { statusCode: status, responseBody, isRetryable } = thrown;
    if (status === undefined) return fail(diagnoseSilence(thrown, target, isRetryable));
    const after = retryAfterMs((name) => thrown.responseHeaders?.[name], target.clock.now());
    if (status >= 400) return fail(diagnoseResponse(status, responseBody, target), after);
    if (isRetryable) return fail(diagnoseUnreadable(BROKEN_OFF, target, true));
    return fail(diagnoseUnreadable(`${INVALID} with status ${status}`, target, false));
  }
  if (sdk.InvalidResponseDataError.isInstance(thrown)) return fail(diagnoseUnreadable(BROKEN_OFF, target, true));
  if (sdk.JSONParseError.isInstance(thrown) || sdk.TypeValidationError.isInstance(thrown)) {
    return fail(diagnoseUnreadable(INVALID, target, false));
  }
  if (sdk.UnsupportedFunctionalityError.isInstance(thrown) || sdk.InvalidPromptError.isInstance(thrown)) {
    return fail({ reason: 'request', what: 'does not support this request', advice: target.hint, retryable: false });
  }
  if (thrown instanceof Error) return fail({ reason: 'service', what: 'failed', advice: target.hint, retryable: false });
  // The remaining cases are error objects that a service sends within a stream.
  return fail(diagnoseResponse(undefined, thrown, target));
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
  return new ModelError('address', what, `${refusal.message} ${refusal.details}`, refusal);
}

/** The connection broke within a response. The cause is that of `fetch`, or an AppError of the guard. */
export class ConnectionLostError extends Error {}

/** The stream of a model ended without a finish event. */
export class IncompleteStreamError extends Error {}

/** The service sent something else than the stream of a model, such as a page. */
export class OtherContentError extends Error {
  constructor(readonly mediaType: string) {
    super(`The service sent ${mediaType} instead of a stream.`);
  }
}

/** The service sent an event that is no JSON, or a response of another form. */
export class InvalidResponseError extends Error {}

/** The response of a service contained an error: the value that it sent. */
export class StreamError extends Error {
  constructor(readonly detail: unknown) {
    super('The stream contained an error.');
  }
}

/** The service's error message for the log, without the conversation and secrets. */
function quote(thrown: unknown, { secret }: SdkTarget): Error {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(JSON.stringify(thrown));
  const cause = new Error(cutText(secret === undefined ? text : text.replaceAll(secret, '[key]'), MAX_QUOTE_LENGTH));
  if (thrown instanceof Error && thrown.stack !== undefined) cause.stack = `${cause.message}\n${frames(thrown.stack)}`;
  return cause;
}

function frames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

/** An unexpected redirect stays one. */
function isTransient(cause: unknown): boolean {
  return cause instanceof TypeError && !(cause.cause instanceof Error && /redirect/.test(cause.cause.message));
}

function retryAfterMs(header: (name: string) => string | undefined, now: number): number | undefined {
  const exact = Number(header('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = header('retry-after');
  if (text === undefined) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
