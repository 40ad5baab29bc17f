import type { FaultReason } from './model-fault.js';
import type { SdkTarget, SettingNames } from './target.js';

/** What happened, as the end of a sentence about the model, and what the operator can do, as sentences. */
export interface Diagnosis {
  readonly reason: FaultReason;
  readonly what: string;
  readonly advice: string;
  readonly retryable: boolean;
}

/** The error object of a service; OpenAI, Anthropic, Ollama and compatible services nest it under `error`. */
interface ServiceError {
  readonly code: string;
  readonly type: string;
  readonly message: string;
}

// Some services describe a limit per minute as a quota, so with status 429 only the code counts.
const QUOTA = /insufficient_quota|exceeded your current quota|credit balance|payment required/i;
const CONTEXT = /context_length|context length|context window|maximum context|prompt is too long|too many tokens|input is too long/i;
const UNKNOWN_MODEL =
  /model_not_found|not_found_error model|not a valid model|model.{0,200}(not found|does not exist|not exist|unknown)|(unknown|invalid|no such) model/i;
const WRONG_KEY = /invalid_api_key|incorrect api key|invalid x-api-key/i;
const CHARACTERS_READ = 10_000;

/** In plain words, the codes that Node.js and its TLS report for a service that cannot be reached. */
const NETWORK: readonly (readonly [code: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens at its address'],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/, 'its host name is unknown'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, 'the network does not lead there'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'the connection timed out'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was broken off'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/, 'its certificate is not accepted, or it does not speak https'],
];

/** The failure of a request that a service answered with an error. @param answered its status; undefined within a stream @param sent its body, or the error in its stream */
export function diagnoseAnswer(answered: number | undefined, sent: unknown, target: SdkTarget): Diagnosis {
  const error = serviceError(sent);
  const status = answered ?? statusIn(error);
  const said = `${error.code} ${error.type} ${error.message}`.slice(0, CHARACTERS_READ);
  const shown = status === undefined ? '' : ` (status ${status})`;
  const { key = 'the service', address, model } = namesOf(target);
  const { secret, hint } = target;
  const rejects = status === undefined ? error.type === 'invalid_request_error' : status < 500;
  const isQuota = status === 429 ? [error.code, error.type].includes('insufficient_quota') : rejects && QUOTA.test(said);
  if (status === 402 || isQuota) {
    const what = `has no quota left${shown}`;
    return { reason: 'quota', what, advice: `Add credit to the account of ${key}, or set a key of another account.`, retryable: false };
  }
  if (status === 401 || (status !== 429 && rejects && WRONG_KEY.test(said)) || error.type === 'authentication_error') {
    const what = secret === undefined ? `requires an API key${shown}` : `refused the API key${shown}`;
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
  if (status !== undefined && status >= 500) {
    const advice = `The fault is in the service. Try again later; if it stays, look at the status page or the log of the service.`;
    return { reason: 'service', what: `responded with status ${status}`, advice, retryable: true };
  }
  if (status === 413 || CONTEXT.test(said)) {
    const advice = `Start a new conversation, lower CONVERSATION_TOKENS, or set ${model} to a model with a larger context.`;
    return { reason: 'context', what: `cannot read a conversation of this length${shown}`, advice, retryable: false };
  }
  if (UNKNOWN_MODEL.test(said)) {
    const pull = target.provider === 'ollama' ? `Run "ollama pull ${target.modelId}", or set` : 'Set';
    return {
      reason: 'model',
      what: `does not exist at the service${shown}`,
      advice: `${pull} ${model} to a model of the service.`,
      retryable: false,
    };
  }
  if (status === 404) {
    const advice = `Check ${model}, and that ${address} is the address of the API, often one that ends with /v1.`;
    return { reason: 'model', what: `was not found at the service${shown}`, advice, retryable: false };
  }
  if (rejects) {
    const advice = `The log has the explanation of the service. ${hint}`;
    return {
      reason: 'request',
      what: status === undefined ? 'rejected the request' : `rejected the request with status ${status}`,
      advice,
      retryable: false,
    };
  }
  return { reason: 'service', what: 'reported an error instead of an answer', advice: hint, retryable: true };
}

/** The failure of a request that got no answer at all. */
export function diagnoseSilence(thrown: unknown, target: SdkTarget, retryable: boolean): Diagnosis {
  const code = networkCode(thrown);
  const words = NETWORK.find(([pattern]) => pattern.test(code))?.[1];
  const { address } = namesOf(target);
  const what = words === undefined ? 'could not be reached' : `could not be reached: ${words}`;
  return { reason: 'address', what, advice: `Start the service, or correct ${address}.`, retryable };
}

/** The failure of a request whose answer cannot be read. */
export function diagnoseUnreadable(what: string, target: SdkTarget, retryable: boolean): Diagnosis {
  const { address } = namesOf(target);
  return { reason: 'response', what, advice: `Check that ${address} is the address of the API, often one that ends with /v1.`, retryable };
}

/** Some services send the status as the code of an error within a stream. */
function statusIn({ code }: ServiceError): number | undefined {
  return /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

function namesOf({ names, provider }: SdkTarget): SettingNames {
  return names ?? { address: `the address of ${provider}`, model: `the model of ${provider}` };
}

function serviceError(sent: unknown): ServiceError {
  const body = typeof sent === 'string' ? parsed(sent) : sent;
  const outer = fieldsOf(body);
  const inner = typeof outer['error'] === 'string' ? { message: outer['error'] } : fieldsOf(outer['error'] ?? outer);
  return { code: textOf(inner['code']), type: textOf(inner['type']), message: textOf(inner['message']) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Some services and proxies explain themselves in plain text.
    return { message: text };
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
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
