import { errorFrom, networkError, ParleyError, TimeoutError } from './errors.js';
import { randomId } from './ids.js';
import { invalidOption, optionalText } from './options.js';
import { pause, retryDelayMs } from './retries.js';

/** An API key, a session token or a user token; a function is asked before each request. */
export type Credential = string | (() => string | undefined | Promise<string | undefined>);

export interface HttpOptions {
  /** Address of the server, with a path if it has one. Default: the origin of the page. */
  readonly url?: string;
  readonly credential?: Credential;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Names the program to the server, in runtimes that let a program do so. */
  readonly userAgent?: string;
  /** How often a request is repeated that may be repeated. Default: 4. */
  readonly retries?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names this request across repetitions; a POST has a random one by default. */
  readonly idempotencyKey?: string;
  /** Time limit of one attempt, ms. Default: none. */
  readonly timeoutMs?: number;
}

export interface HttpRequest extends RequestOptions {
  readonly method: string;
  /** Path with query, from the server's address. */
  readonly path: string;
  /** An object is sent as JSON. */
  readonly body?: unknown;
  readonly accept?: string;
}

const POSITION = 'x-parley-position';

/** Requests with the credential, repetition and errors as classes. */
export class Http {
  private readonly base: string;
  private readonly send: typeof fetch;
  private readonly retries: number;

  /** @param seen what is known to later requests; shared by clients of one server */
  constructor(
    private readonly options: HttpOptions = {},
    private readonly seen = { position: 0 },
  ) {
    this.base = addressOf(options.url);
    this.send = options.fetch ?? ((...request) => fetch(...request));
    this.retries = options.retries ?? 4;
  }

  /** Address of the server; '' stands for the origin of the page. */
  get url(): string {
    return this.base;
  }

  /** The same server, with another credential. */
  withCredential(credential: Credential): Http {
    return new Http({ ...this.options, credential }, this.seen);
  }

  /** @throws InvalidError */
  async credential(): Promise<string | undefined> {
    const { credential } = this.options;
    const given: unknown = await (typeof credential === 'function' ? credential() : credential);
    return optionalText('credential', given, CREDENTIAL_REMEDY);
  }

  /**
   * Sends a request, and repeats it when that is safe: after a cut connection, 429 and 503, with GET, PUT and DELETE, and with a POST that
   * has an idempotency key.
   *
   * @returns the response of a success, whose body is unread
   * @throws ParleyError; the reason of the signal when it is aborted
   */
  async request(request: HttpRequest): Promise<Response> {
    this.assertReachable();
    optionalText('idempotencyKey', request.idempotencyKey, 'Leave it out for a random one.');
    const idempotencyKey = request.idempotencyKey ?? (request.method === 'POST' ? randomId() : undefined);
    const repeatable = request.method !== 'PATCH' || idempotencyKey !== undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(request, idempotencyKey);
      } catch (error) {
        const wait = repeatable && attempt <= this.retries ? retryDelayMs(error, attempt) : undefined;
        if (wait === undefined) throw error;
        await pause(wait, request.signal);
      }
    }
  }

  /** @throws InvalidError without an address, where there is no page whose origin could be it */
  private assertReachable(): void {
    if (!this.base.startsWith('http') && this.options.fetch === undefined && !('location' in globalThis)) {
      throw invalidOption('url', 'is missing', `Outside of a page there is no origin to send to. ${URL_REMEDY}`);
    }
  }

  private async attempt(request: HttpRequest, idempotencyKey: string | undefined): Promise<Response> {
    const { method, path, body, accept = 'application/json', timeoutMs, signal } = request;
    const headers: Record<string, string> = { accept, ...request.headers };
    const credential = await this.credential();
    // Unlike a bearer token, it may have any characters.
    if (credential !== undefined) headers['x-api-key'] = credential;
    if (this.options.userAgent !== undefined) headers['user-agent'] = this.options.userAgent;
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    if (this.seen.position > 0) headers[POSITION] = String(this.seen.position);
    const isForm = body instanceof FormData || body instanceof Blob;
    if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
    const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const signals = [signal, limit].filter((one) => one !== undefined);
    let response: Response;
    try {
      response = await this.send(this.base + path, {
        method,
        headers,
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (limit?.aborted === true) throw clientTimeout(timeoutMs);
      throw networkError(error, this.originHint());
    }
    this.remember(response);
    if (response.ok) return response;
    throw await failureOf(response);
  }

  /** A browser tells a page no reason: a server that does not respond and one that does not let the page in look the same. */
  private originHint(): string {
    const { location } = globalThis as { location?: { readonly origin: string } };
    const own = ORIGIN.exec(this.base)?.[0].toLowerCase();
    if (!location || own === undefined || own === location.origin) return '';
    return `. If the server runs, it does not let pages of ${location.origin} in: name this origin in its setting CORS_ORIGIN.`;
  }

  /** Later requests see at least what this response has seen, on whatever server of a fleet they arrive. */
  private remember(response: Response): void {
    const position = Number(response.headers.get(POSITION));
    if (position > this.seen.position) this.seen.position = position;
  }
}

const URL_REMEDY = 'Pass the address of the server, such as http://127.0.0.1:3000.';
const CREDENTIAL_REMEDY =
  'Pass an API key, a session token or a user token, or a function that returns one. Leave it out, or return undefined, to send none.';

/** The address of a server without the slash at its end; '' for the origin of the page. @throws InvalidError */
function addressOf(url: unknown): string {
  const text = optionalText('url', url === '' ? undefined : url, `${URL_REMEDY} Leave it out for the origin of the page.`) ?? '';
  if (text !== '' && !text.startsWith('/') && !isServer(text)) {
    throw invalidOption('url', `must begin with http:// or https:// and a host, but is "${text}"`, URL_REMEDY);
  }
  return text.replace(/\/+$/, '');
}

/** Scheme, host and port. Not of `URL`, which some runtimes have in part only. */
const ORIGIN = /^https?:\/\/(\[[\da-f:.]+\]|[^\s/:?#@]+)(:\d+)?(?=\/|$)/i;

/** Whether a text is an address on the web; a host named "undefined" is a variable without a value. */
function isServer(text: string): boolean {
  const host = ORIGIN.exec(text)?.[1];
  return host !== undefined && !/^(undefined|null|nan)$/i.test(host);
}

/** The body of a success without its envelope. */
export async function dataOf(response: Response): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw networkError(error);
  }
  if (text === '') return undefined;
  const body = JSON.parse(text) as { success?: unknown; data?: unknown };
  return typeof body === 'object' && body !== null && body.success === true && 'data' in body ? body.data : body;
}

async function failureOf(response: Response): Promise<ParleyError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const error = errorIn(text);
  return errorFrom({
    code: error.code ?? `HTTP_${status}`,
    message: error.message ?? `The server responded with ${status}.`,
    details: error.details ?? '',
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfter(headers.get('retry-after')),
  });
}

function errorIn(text: string): { code?: string; message?: string; details?: string } {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return { message: error };
    return typeof error === 'object' && error !== null ? error : {};
  } catch {
    // A proxy responds in a form of its own.
    return {};
  }
}

function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function clientTimeout(timeoutMs = 0): TimeoutError {
  return new TimeoutError({
    code: 'CLIENT_TIMEOUT',
    message: `The server did not respond within ${timeoutMs} ms.`,
    details: 'The request may still be carried out. Send it again with the same idempotency key.',
    status: 0,
  });
}
