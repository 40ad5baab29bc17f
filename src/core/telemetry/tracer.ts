import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { currentRequestId, currentTrace, withTrace, type TraceContext } from '../context/request-context.js';
import { AppError } from '../errors/index.js';
import { parseTraceContext, storedTraceContext } from './trace-context.js';

type AttributeValue = string | number | boolean | readonly string[];
/** Attributes by their names in the semantic conventions; undefined ones are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** As OpenTelemetry defines them. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** A finished span. */
export interface FinishedSpan {
  /** Of low cardinality. Variable data belongs in attributes. */
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: TraceContext;
  /** Undefined for the first span of a trace. */
  readonly parent?: TraceContext;
  /** Epoch ms, with fractions. */
  readonly startedAt: number;
  /** Ms, with fractions. */
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly failed: boolean;
}

/** Decides which traces are exported, and gets their spans. */
export interface SpanExport {
  /** Whether callers' trace context is read. */
  readonly propagates: boolean;
  /**
   * Whether a trace is exported. Called at its first span in this process.
   *
   * @param parent the decision of the caller, if it sent one
   */
  samples(traceId: string, parent: boolean | undefined): boolean;
  /** Gets each finished span of exported traces. Must not block or throw. */
  ended(span: FinishedSpan): void;
}

export interface SpanOptions {
  /** `internal` by default. */
  readonly kind?: SpanKind;
  /** The parent in another process or of an earlier request; by default the current span. */
  readonly parent?: TraceContext;
}

/** Lets running work add to its span. */
export interface Span {
  set(name: string, value: AttributeValue | undefined): void;
  /** Marks the span as failed. @param type code or class of the error: `error.type` */
  fail(type: string): void;
}

/** A span whose start and end are in different functions. */
export interface OpenSpan extends Span {
  rename(name: string): void;
  /** The position in the trace for what belongs to this span. */
  readonly context: TraceContext;
  /** Ends the span; further calls do nothing. */
  end(): void;
}

const NOOP_SPAN: Span = { set: () => undefined, fail: () => undefined };

/**
 * Records spans and passes them to an exporter. Without one, which is the default, a span costs a comparison.
 *
 * Spans nest within a process. `toStore` and `SpanOptions.parent` carry a trace through the database: work that another process continues,
 * or that is repeated after a crash, stays in the trace of the request that caused it.
 */
@Injectable()
export class Tracer {
  private exporter?: SpanExport;

  constructor(private readonly clock: Clock) {}

  /** Starts to record. @returns a function that ends it */
  start(exporter: SpanExport): () => void {
    this.exporter = exporter;
    return () => {
      if (this.exporter === exporter) this.exporter = undefined;
    };
  }

  get enabled(): boolean {
    return this.exporter !== undefined;
  }

  /** The trace context in a request's headers `traceparent` and `tracestate`; undefined when there is none, or traces are off. */
  received(headers: Readonly<Record<string, unknown>>): TraceContext | undefined {
    return this.exporter?.propagates === true ? parseTraceContext(headers['traceparent'], headers['tracestate']) : undefined;
  }

  /**
   * The current trace context for a column of a job (`readTraceContext`); null when traces are off. Outside of spans it starts a trace with a
   * span `name`, so that all attempts at the job are in one trace.
   */
  toStore(name: string): string | null {
    if (!this.exporter) return null;
    let trace = currentTrace();
    if (!trace) {
      const span = this.begin(name, {}, { kind: 'producer' });
      span.end();
      trace = span.context;
    }
    return storedTraceContext(trace);
  }

  /** Runs `work` in a span and returns its result. @throws the errors of `work`, which mark the span as failed */
  async span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>, options?: SpanOptions): Promise<T> {
    if (!this.exporter) return work(NOOP_SPAN);
    const span = this.begin(name, attributes, options);
    try {
      return await withTrace(span.context, () => work(span));
    } catch (error) {
      span.fail(errorType(error));
      throw error;
    } finally {
      span.end();
    }
  }

  /** Starts a span, which `end` ends. The work that belongs to it runs in `withTrace(span.context, …)`. */
  begin(name: string, attributes: Attributes, { kind = 'internal', parent }: SpanOptions = {}): OpenSpan {
    const above = parent ?? currentTrace();
    const traceId = above?.traceId ?? randomHex(4);
    const isFirst = parent !== undefined || above === undefined;
    const sampled = isFirst ? this.exporter?.samples(traceId, above?.sampled) === true : above.sampled;
    const origin = above?.origin ?? this.clock.now() - performance.now();
    // No span is sent for it, so what follows keeps the id of the caller's span.
    const spanId = sampled || !above ? randomHex(2) : above.spanId;
    const context = { traceId, spanId, sampled, origin, ...(above?.state === undefined ? {} : { state: above.state }) };
    if (!sampled) return { ...NOOP_SPAN, context, rename: () => undefined, end: () => undefined };
    return this.recording({ name, kind, context, ...(above ? { parent: above } : {}) }, attributes, origin);
  }

  private recording(about: Pick<FinishedSpan, 'name' | 'kind' | 'context' | 'parent'>, given: Attributes, origin: number): OpenSpan {
    const began = performance.now();
    const requestId = about.parent?.origin === undefined ? currentRequestId() : undefined;
    const attributes: Record<string, AttributeValue> = {};
    const set = (key: string, value: AttributeValue | undefined): void => {
      if (value !== undefined) attributes[key] = value;
    };
    for (const key of Object.keys(given)) set(key, given[key]);
    set('parley.request.id', requestId);
    let { name } = about;
    let failed = false;
    let ended = false;
    return {
      context: about.context,
      set,
      rename: (better) => (name = better),
      fail: (type) => {
        failed = true;
        attributes['error.type'] = type;
      },
      end: () => {
        if (ended) return;
        ended = true;
        this.exporter?.ended({ ...about, name, startedAt: origin + began, durationMs: performance.now() - began, attributes, failed });
      },
    };
  }
}

/** The code of an error, or its class. Messages may quote what users wrote, so they are not part of a trace. */
export function errorType(error: unknown): string {
  if (error instanceof AppError) return error.code;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return error instanceof Error ? error.name : typeof error;
}

/** Eight hexadecimal digits per word. Ids need no secure randomness, and Math.random is ten times faster. */
function randomHex(words: number): string {
  let text = '';
  for (let word = 0; word < words; word++) {
    text += Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  }
  return text;
}
