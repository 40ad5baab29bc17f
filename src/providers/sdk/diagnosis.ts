import { cutText } from '../../core/text/index.js';
import type { ModelErrorReason } from './model-error.js';
import { serviceError, statusIn, type ServiceError } from './service-error.js';
import type { SdkTarget, SettingNames } from './target.js';

/** What happened, as the end of a sentence about the model, and what the operator can do, as sentences. */
export interface Diagnosis {
  readonly reason: ModelErrorReason;
  readonly what: string;
  readonly advice: string;
  readonly retryable: boolean;
  /** The limit of the model's context, where the service says it, tokens. */
  readonly contextTokens?: number;
}

// Some services describe a limit per minute as a quota, so with status 429 only the code counts.
const QUOTA = /insufficient_quota|exceeded your current quota|credit balance|insufficient (credits|balance)|payment required/i;
const PER_MINUTE = /tokens per (minute|day)|\b[TR]PM\b|rate limit/i;
const CONTEXT =
  /context_length|context length|context window|context size|exceed_context|maximum context|prompt is too long|too many tokens|too many input tokens|input (is too long|token count|length)|too large for model|request too large|request_too_large|reduce the length|maximum number of tokens|exceeds? the (model'?s? )?(maximum|limit)[^.]{0,40}tokens|prompt too long/i;
/** Refusals of a chat template, which servers for local models report as faults of their own. */
const TEMPLATE = /raise_exception|jinja|chat template|conversation roles must alternate|roles are supported|system role not supported/i;
const LOADING = /loading model|model is loading|currently loading|warming up/i;
const MEMORY = /more system memory|out of memory|insufficient memory|failed to allocate|cuda error/i;
const POLICY =
  /content_filter|content management policy|content_policy|responsibleaipolicy|moderation|input was flagged|safety system|data_inspection_failed/i;
const OVERLOADED = /overloaded|capacity|insufficient_system_resource/i;
const UNKNOWN_MODEL =
  /model_not_found|not_found_error model|not a valid model|deploymentnotfound|model.{0,200}(not found|does not exist|not exist|unknown)|(unknown|invalid|no such) model/i;
const WRONG_KEY = /invalid_api_key|incorrect api key|invalid x-api-key|api key not valid|api_key_invalid/i;
const CHARACTERS_READ = 10_000;
const OF_SERVICE = 'The fault is in the service. Try again later; if it stays, look at the status page or the log of the service.';

/** In plain words, the codes that Node.js and its TLS report for a service that cannot be reached. */
const NETWORK: readonly (readonly [code: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens at its address'],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/, 'its host name is unknown'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, 'the network does not lead there'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'the connection timed out'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was broken off'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/, 'its certificate is not accepted, or it does not speak https'],
];

/** The failure of a request to which a service responded with an error. @param httpStatus its status; undefined within a stream @param sent its body, or the error in its stream */
export function diagnoseResponse(httpStatus: number | undefined, sent: unknown, target: SdkTarget): Diagnosis {
  const error = serviceError(sent);
  const status = httpStatus ?? statusIn(error);
  const said = cutText(`${error.code} ${error.type} ${error.message}`, CHARACTERS_READ);
  const response: FailedResponse = { error, status, said, shown: status === undefined ? '' : ` (status ${status})`, target };
  return ofAccount(response) ?? ofPrompt(response) ?? ofService(response) ?? ofModel(response) ?? ofRequest(response);
}

interface FailedResponse {
  readonly error: ServiceError;
  readonly status: number | undefined;
  /** Code, type and message. */
  readonly said: string;
  /** The status, for a message. */
  readonly shown: string;
  readonly target: SdkTarget;
}

/** Whether the service refuses the request, and does not fail. */
function rejects({ status, error }: FailedResponse): boolean {
  return status === undefined ? error.type === 'invalid_request_error' : status < 500;
}

/** Quota, key and rate. */
function ofAccount(response: FailedResponse): Diagnosis | undefined {
  const { error, status, said, shown, target } = response;
  const { key = 'the service', address, model } = namesOf(target);
  if (POLICY.test(said) && status !== 429) return undefined;
  const isQuota = status === 429 ? [error.code, error.type].includes('insufficient_quota') : rejects(response) && QUOTA.test(said);
  if (status === 402 || isQuota) {
    const what = `has no quota left${shown}`;
    return { reason: 'quota', what, advice: `Add credit to the account of ${key}, or set a key of another account.`, retryable: false };
  }
  if (status === 401 || (status !== 429 && rejects(response) && WRONG_KEY.test(said)) || error.type === 'authentication_error') {
    const what = target.secret === undefined ? `requires an API key${shown}` : `refused the API key${shown}`;
    const advice =
      namesOf(target).key === undefined ? `Check ${address}: Parley sends no key to this service.` : `Set ${key} to a valid key.`;
    return { reason: 'key', what, advice, retryable: false };
  }
  if (status === 403) {
    const advice = `Check that the account of ${key} may use this model, or change ${model}.`;
    return { reason: 'key', what: `denied access${shown}`, advice, retryable: false };
  }
  if (status === 429 || error.type === 'rate_limit_error') {
    const advice = `Try again in a minute. If this happens often, raise the rate limit of the account of ${key}.`;
    return { reason: 'rate', what: `accepts no more requests for the moment${shown}`, advice, retryable: true };
  }
  return undefined;
}

/** A prompt that is too long, that a template cannot form, or whose words a filter refuses: also where the service reports a fault of its own. */
function ofPrompt({ status, said, shown, error, target }: FailedResponse): Diagnosis | undefined {
  const { model } = namesOf(target);
  if (status === 413 || (CONTEXT.test(said) && !PER_MINUTE.test(said))) {
    const limit = error.contextTokens === undefined ? '' : ` Its limit is ${error.contextTokens} tokens.`;
    const advice = `Start a new conversation, lower CONVERSATION_TOKENS, or set ${model} to a model with a larger context.${limit}`;
    const what = `cannot read a conversation of this length${shown}`;
    return { reason: 'context', what, advice, retryable: false, contextTokens: error.contextTokens };
  }
  if (POLICY.test(said)) {
    const advice = 'Say it in other words. If harmless messages are refused too, change the filter of the service.';
    return { reason: 'request', what: `refuses the message by its content policy${shown}`, advice, retryable: false };
  }
  if (TEMPLATE.test(said)) {
    const advice = `The chat template of the model does not take this conversation; the log has its explanation. Set ${model} to another model, or give the service another template.`;
    return { reason: 'request', what: `cannot form a prompt${shown}`, advice, retryable: false };
  }
  return undefined;
}

/** Faults of the service. */
function ofService(response: FailedResponse): Diagnosis | undefined {
  const { status, said, shown } = response;
  const fault = (what: string, advice: string, retryable: boolean): Diagnosis => ({ reason: 'service', what, advice, retryable });
  if (LOADING.test(said)) {
    return fault(`is still being loaded${shown}`, 'Wait until the service has loaded the model, and try again.', true);
  }
  if (MEMORY.test(said) && !rejects(response)) {
    return fault(
      `does not fit into the memory of the service${shown}`,
      'Use a smaller model or a smaller context, or free memory there.',
      false,
    );
  }
  if (status === undefined ? OVERLOADED.test(said) : status >= 500 || [408, 409, 425].includes(status)) {
    const what = status === undefined || OVERLOADED.test(said) ? `is overloaded${shown}` : `responded with status ${status}`;
    return fault(what, OF_SERVICE, true);
  }
  return undefined;
}

function ofModel({ status, said, shown, target }: FailedResponse): Diagnosis | undefined {
  const { address, model } = namesOf(target);
  if (UNKNOWN_MODEL.test(said)) {
    const pull = target.provider === 'ollama' ? `Run "ollama pull ${target.modelId}", or set` : 'Set';
    const advice = `${pull} ${model} to a model of the service.`;
    return { reason: 'model', what: `does not exist at the service${shown}`, advice, retryable: false };
  }
  if (status !== 404) return undefined;
  const advice = `Check ${model}, and that ${address} is the address of the API, often one that ends with /v1.`;
  return { reason: 'model', what: `was not found at the service${shown}`, advice, retryable: false };
}

function ofRequest(response: FailedResponse): Diagnosis {
  const { status, target } = response;
  if (!rejects(response) || status === 200) {
    return { reason: 'service', what: 'reported an error instead of a response', advice: target.hint, retryable: true };
  }
  const what = status === undefined ? 'rejected the request' : `rejected the request with status ${status}`;
  return { reason: 'request', what, advice: `The log has the explanation of the service. ${target.hint}`, retryable: false };
}

/** The failure of a request that got no response at all. */
export function diagnoseSilence(thrown: unknown, target: SdkTarget, retryable: boolean): Diagnosis {
  const code = networkCode(thrown);
  const words = NETWORK.find(([pattern]) => pattern.test(code))?.[1];
  const { address } = namesOf(target);
  const what = words === undefined ? 'could not be reached' : `could not be reached: ${words}`;
  return { reason: 'address', what, advice: `Start the service, or correct ${address}.`, retryable };
}

/** The failure of a request whose connection broke within the response. */
export function diagnoseBreak(what: string): Diagnosis {
  return { reason: 'service', what, advice: OF_SERVICE, retryable: true };
}

/** The failure of a request whose response cannot be read. */
export function diagnoseUnreadable(what: string, target: SdkTarget, retryable: boolean): Diagnosis {
  const { address } = namesOf(target);
  return { reason: 'response', what, advice: `Check that ${address} is the address of the API, often one that ends with /v1.`, retryable };
}

function namesOf({ names, provider }: SdkTarget): SettingNames {
  return names ?? { address: `the address of ${provider}`, model: `the model of ${provider}` };
}

function networkCode(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string') return code;
    const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
    if (first !== undefined) return networkCode(first);
  }
  return '';
}
