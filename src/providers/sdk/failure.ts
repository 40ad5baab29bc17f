import type { APICallError } from '@ai-sdk/provider';
import { AppError } from '../../core/errors/index.js';
import type { SdkTarget } from './target.js';

const LONGEST_QUOTE = 500;

/** Why one try failed, in our terms, and whether another one makes sense. */
export class AttemptFailure extends Error {
  constructor(
    readonly error: AppError,
    readonly retryable: boolean,
    /** How long the service asks to be left alone, ms. */
    readonly retryAfterMs?: number,
  ) {
    super(error.message);
    this.name = 'AttemptFailure';
  }
}

/** Translates what an SDK model threw, or sent as an error in its stream. Never throws. */
export async function failureOf(thrown: unknown, target: SdkTarget): Promise<AttemptFailure> {
  if (thrown instanceof AttemptFailure) return thrown;
  const refusal = refusalIn(thrown);
  if (refusal !== undefined) return new AttemptFailure(refused(refusal, target), false);
  if (thrown instanceof StreamFault) return failureOf(thrown.sent, target);
  // Imported here because only a failure needs it, and start-up must not pay for it.
  const sdk = await import('@ai-sdk/provider');
  const fail = (code: 'MODEL_UNAVAILABLE' | 'MODEL_REJECTED', what: string, retryable: boolean, retryAfterMs?: number): AttemptFailure => {
    const error = new AppError(code, `${target.provider} (${target.modelId}) ${what}.`, target.hint, quote(thrown, target));
    return new AttemptFailure(error, retryable, retryAfterMs);
  };

  if (sdk.APICallError.isInstance(thrown)) {
    const status = thrown.statusCode;
    if (status === undefined) return fail('MODEL_UNAVAILABLE', 'could not be reached', thrown.isRetryable);
    if (status === 429 || status >= 500) {
      return fail('MODEL_UNAVAILABLE', `answered with status ${status}`, true, retryAfterMs(thrown, target.clock.now()));
    }
    if (status >= 400) return fail('MODEL_REJECTED', `refused the request with status ${status}`, false);
    if (thrown.isRetryable) return fail('MODEL_UNAVAILABLE', 'broke off before the answer was complete', true);
    return fail('MODEL_UNAVAILABLE', `sent an answer with status ${status} that is not understood`, false);
  }
  if (sdk.InvalidResponseDataError.isInstance(thrown) || thrown instanceof StreamCut) {
    return fail('MODEL_UNAVAILABLE', 'broke off before the answer was complete', true);
  }
  if (sdk.JSONParseError.isInstance(thrown) || sdk.TypeValidationError.isInstance(thrown)) {
    return fail('MODEL_UNAVAILABLE', 'sent an answer that is not understood', false);
  }
  if (sdk.UnsupportedFunctionalityError.isInstance(thrown) || sdk.InvalidPromptError.isInstance(thrown)) {
    return fail('MODEL_REJECTED', 'cannot take a request of this form', false);
  }
  if (thrown instanceof Error) return fail('MODEL_UNAVAILABLE', 'failed', false);
  // What is left are the error objects that a service sends in the middle of a stream.
  return refusesRequest(thrown)
    ? fail('MODEL_REJECTED', 'refused the request', false)
    : fail('MODEL_UNAVAILABLE', 'reported an error instead of an answer', true);
}

/** What was refused on the way out says so itself, also where the SDK wrapped it. */
function refusalIn(thrown: unknown): AppError | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return [thrown, cause].find((error) => error instanceof AppError);
}

/** Users of the agent did not name the address: to them the model is out of reach, whatever is wrong with its setting. */
function refused(refusal: AppError, { provider, modelId, addressSetting }: SdkTarget): AppError {
  if (addressSetting === undefined || refusal.code !== 'VALIDATION_ERROR') return refusal;
  const what = `${provider} (${modelId}) could not be asked at ${addressSetting} of the agent.`;
  return new AppError('MODEL_UNAVAILABLE', what, `${refusal.message} ${refusal.details}`, refusal);
}

/** The stream of a model ended without saying that it is finished. */
export class StreamCut extends Error {}

/** The stream of a model carried an error: one of the SDK's, or the object that the service sent. */
export class StreamFault extends Error {
  constructor(readonly sent: unknown) {
    super('The stream carried an error.');
  }
}

function refusesRequest(sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return false;
  const code = 'code' in sent ? Number(sent.code) : Number.NaN;
  if (code >= 400 && code < 500) return code !== 429;
  return 'type' in sent && sent.type === 'invalid_request_error';
}

/** The service's own words for the log: not the SDK's error itself, which carries the whole conversation. */
function quote(thrown: unknown, { secret }: SdkTarget): Error {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(JSON.stringify(thrown));
  const cause = new Error((secret === undefined ? text : text.replaceAll(secret, '[key]')).slice(0, LONGEST_QUOTE));
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
