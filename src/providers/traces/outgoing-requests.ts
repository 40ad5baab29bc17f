import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { currentTrace } from '../../core/context/request-context.js';
import { errorType, traceparentOf, type OpenSpan, type Tracer } from '../../core/telemetry/index.js';

/** What the channels of undici carry, which `fetch` of Node.js publishes too. */
interface UndiciMessage {
  readonly request: {
    readonly origin: string | URL;
    readonly method: string;
    readonly headers: string | readonly unknown[];
    addHeader(name: string, value: string): void;
  };
  readonly response?: { readonly statusCode: number };
  readonly error?: unknown;
}

/**
 * A client span for each HTTP request that is sent within a trace: by the server, and by plugins with `fetch`. The request carries the
 * trace context, so that the called service can continue the trace.
 *
 * Node.js and undici publish requests on diagnostics channels. Without subscribers these cost nothing.
 */
export class OutgoingRequests {
  private readonly spans = new WeakMap<object, OpenSpan>();
  private readonly listeners: readonly [channel: string, listener: (message: unknown) => void][] = [
    ['undici:request:create', (message) => this.created(message as UndiciMessage)],
    ['undici:request:headers', (message) => this.responseArrived(message as UndiciMessage)],
    ['undici:request:trailers', (message) => this.ended(message as UndiciMessage)],
    ['undici:request:error', (message) => this.failed(message as UndiciMessage)],
  ];

  /** @param propagates whether requests carry the trace context */
  constructor(
    private readonly tracer: Tracer,
    private readonly propagates: boolean,
  ) {}

  start(): void {
    for (const [channel, listener] of this.listeners) subscribe(channel, listener);
  }

  stop(): void {
    for (const [channel, listener] of this.listeners) unsubscribe(channel, listener);
  }

  private created({ request }: UndiciMessage): void {
    if (!currentTrace()) return;
    const { method } = request;
    const url = new URL(request.origin);
    const span = this.tracer.begin(
      method,
      {
        'http.request.method': method,
        // Not the path and the query, which may contain credentials such as the token of a bot.
        'server.address': url.hostname,
        'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
      },
      { kind: 'client' },
    );
    this.spans.set(request, span);
    if (!this.propagates || hasHeader(request.headers, 'traceparent')) return;
    request.addHeader('traceparent', traceparentOf(span.context));
    if (span.context.state !== undefined) request.addHeader('tracestate', span.context.state);
  }

  private responseArrived({ request, response }: UndiciMessage): void {
    const span = this.spans.get(request);
    const status = response?.statusCode ?? 0;
    span?.set('http.response.status_code', status);
    if (status >= 400) span?.fail(String(status));
  }

  private ended({ request }: UndiciMessage): void {
    this.spans.get(request)?.end();
  }

  private failed({ request, error }: UndiciMessage): void {
    const span = this.spans.get(request);
    span?.fail(errorType(error));
    span?.end();
  }
}

/** @param headers of undici: lines of text, or names and values in turn */
function hasHeader(headers: string | readonly unknown[], name: string): boolean {
  if (typeof headers === 'string') return headers.toLowerCase().includes(`${name}:`);
  return headers.some((each, at) => at % 2 === 0 && String(each).toLowerCase() === name);
}
