import { failureOf, toChannelEvent, type ChannelEvent, type Gap } from './events.js';
import { errorFrom, networkError, NetworkError, UnavailableError } from './errors.js';
import { dataOf, Http, type HttpOptions, type RequestOptions } from './http.js';
import { addressPart, cursorOption } from './options.js';
import { backoffMs, pause, retryDelayMs } from './retries.js';
import { readEvents, type ServerSentEvent } from './sse.js';
import type { Operations } from './wire.js';

export type OperationName = keyof Operations;

/** Parameters of an operation's query. */
export type Query<O extends OperationName> = Operations[O]['query'];
/** Body of an operation. */
export type Body<O extends OperationName> = Operations[O]['body'];

type Part<Name extends string, T> = [T] extends [undefined]
  ? { readonly [K in Name]?: undefined }
  : undefined extends T
    ? { readonly [K in Name]?: T }
    : Record<string, never> extends T
      ? { readonly [K in Name]?: T }
      : { readonly [K in Name]: T };

/** What an operation is called with: parameters of its path and query, its body, and how it is sent. */
export type CallOptions<O extends OperationName> = Part<'path', Operations[O]['path']> &
  Part<'query', Operations[O]['query']> &
  Part<'body', Operations[O]['body']> &
  RequestOptions;

type Arguments<O extends OperationName> =
  Record<string, never> extends CallOptions<O> ? [options?: CallOptions<O>] : [options: CallOptions<O>];

/** State of a stream's connection. */
export type StreamState = 'connecting' | 'open' | 'reconnecting';

export interface StreamOptions {
  /** Cursor or offset of the last event that the caller has; the stream begins behind it. Default: now. */
  readonly after?: number | string | undefined;
  readonly signal?: AbortSignal;
  readonly onState?: (state: StreamState) => void;
}

type QueryValue = string | number | boolean | undefined;

interface Parameters {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined;
  readonly body?: unknown;
}

/** The longest time without a byte of a stream, ms; the server sends a comment every 15 s. */
const SILENCE_MS = 45_000;

/** Every operation and every stream of a server. */
export class ApiClient {
  /** For other roads to the same server (`parley-client/socket`). */
  readonly http: Http;

  constructor(options: HttpOptions | Http = {}) {
    this.http = options instanceof Http ? options : new Http(options);
  }

  /**
   * Calls an operation by method and path, with the types of the server's description.
   *
   * @returns what the envelope holds
   * @throws ParleyError of the class that fits the failure
   * @example await parley.call('GET /api/agents/{agentId}/runs', { path: { agentId }, query: { limit: 20 } })
   */
  async call<O extends OperationName>(operation: O, ...[options]: Arguments<O>): Promise<Operations[O]['data']> {
    return (await dataOf(await this.send(operation, options))) as Operations[O]['data'];
  }

  /** As `call`, for operations that respond with a file or with sound. */
  async blob<O extends OperationName>(operation: O, ...[options]: Arguments<O>): Promise<Blob> {
    const response = await this.send(operation, options, '*/*');
    try {
      return await response.blob();
    } catch (error) {
      throw networkError(error);
    }
  }

  /**
   * The events of a stream of the server. After a cut it goes on behind the last event by itself, for as long as the server can't be reached.
   *
   * @param path path with query, such as `/api/agents/{id}/knowledge/events` with the id filled in
   * @throws ParleyError when the server refuses the stream; the reason of the signal when it is aborted
   */
  async *stream(path: string, { after, signal, onState }: StreamOptions = {}): AsyncGenerator<ServerSentEvent> {
    let last = after === undefined ? undefined : cursorOption(after);
    let failures = 0;
    onState?.('connecting');
    for (;;) {
      const silence = new Silence(SILENCE_MS);
      try {
        const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
        const signals = AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]);
        const request = { method: 'GET', path, headers, accept: 'text/event-stream', signal: signals };
        const response = await this.http.request(request);
        onState?.('open');
        if (!response.body) return;
        for await (const event of readEvents(response.body, () => silence.begin())) {
          failures = 0;
          if (event.id !== undefined) last = event.id;
          yield event;
        }
        signal?.throwIfAborted();
      } catch (error) {
        signal?.throwIfAborted();
        const isCut = !(error instanceof Error && 'status' in error) || error instanceof NetworkError || error instanceof UnavailableError;
        if (!isCut && retryDelayMs(error, failures + 1) === undefined) throw error;
      } finally {
        silence.end();
      }
      onState?.('reconnecting');
      failures += 1;
      await pause(backoffMs(failures), signal);
    }
  }

  /** Everything that happens in a channel, in order and once. Without `after` it begins now. */
  async *events(channelId: string, options: StreamOptions = {}): AsyncGenerator<ChannelEvent | Gap> {
    const path = fill('/api/messaging/channels/{channelId}/events', { channelId });
    for await (const { event, data, id } of this.stream(path, options)) {
      const fields = JSON.parse(data) as Record<string, unknown>;
      if (event === 'gap') yield { type: 'gap', from: Number(fields['from']), to: Number(fields['to']) };
      else if (event === 'error') throw errorFrom({ ...failureOf(fields), status: 500 });
      else {
        const known = toChannelEvent(event, fields, id);
        if (known) yield known;
      }
    }
  }

  private send(operation: string, options: (Parameters & RequestOptions) | undefined, accept?: string): Promise<Response> {
    const space = operation.indexOf(' ');
    const { path, query, body, ...request } = options ?? {};
    return this.http.request({
      ...request,
      method: operation.slice(0, space),
      path: fill(operation.slice(space + 1), path) + queryText(query),
      body,
      ...(accept !== undefined && { accept }),
    });
  }
}

function fill(template: string, parameters: Parameters['path']): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(addressPart(name, parameters?.[name], `The address of the operation needs it: ${template}`)),
  );
}

function queryText(query: Parameters['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== '') parameters.append(name, addressPart(name, one, 'Leave it out if there is none.'));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Aborts a stream on which nothing comes: a machine that slept, or a network that is gone, closes no connection. */
class Silence {
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly limitMs: number) {
    this.begin();
  }

  begin(): void {
    this.end();
    this.timer = setTimeout(() => this.controller.abort(new Error(`Nothing came for ${this.limitMs} ms.`)), this.limitMs);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
