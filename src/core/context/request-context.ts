import { AsyncLocalStorage } from 'node:async_hooks';

/** A statement that is committed together with the first unit of work of a request. */
export interface PiggybackedStatement {
  readonly statement: { readonly sql: string; readonly params: readonly (string | number | boolean | Uint8Array | null)[] };
  state: 'waiting' | 'committed' | 'cancelled';
}

/** The actor of a request. */
export interface Actor {
  /** As `Caller.id`, for example `administrator` or `key:ID`. */
  readonly id: string;
  /** Name of the key. */
  readonly name?: string;
  /** The user whom the credential stands for. */
  readonly userId?: string;
  /** Address of the client. */
  readonly address?: string;
}

/** A position in a trace, as W3C Trace Context defines it: the parent of what happens next. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the spans of the trace are exported. */
  readonly sampled: boolean;
  /** The `tracestate` header of the caller. */
  readonly state?: string;
  /** Epoch ms at which `performance.now()` was 0, by the clock of the first span in this process. */
  readonly origin?: number;
}

interface RequestOptions {
  /** Gets the offset of the newest journal entry of each unit of work that the request commits. */
  readonly onCommit?: (offset: number) => void;
  /** Returns the actor; called when it is needed. */
  readonly actor?: () => Actor;
}

interface RequestContext extends RequestOptions {
  /** Undefined for background work that is only traced. */
  readonly requestId?: string;
  readonly trace?: TraceContext;
  /** Begins the time limit of the work again. */
  readonly onProgress?: () => void;
  piggybacked?: PiggybackedStatement;
}

const context = new AsyncLocalStorage<RequestContext>();

/** Runs `work` in the context of a request: its log lines and journal entries carry the request id. */
export function withRequestId<T>(requestId: string, work: () => T, { onCommit, actor }: RequestOptions = {}): T {
  return context.run({ requestId, onCommit, actor }, work);
}

/** Tells the request that journal entries up to this offset were committed by it, by an earlier one that it repeats, or by what it waited for. */
export function reportCommit(offset: number): void {
  context.getStore()?.onCommit?.(offset);
}

/** Runs `work`, which has a time limit without progress; `onProgress` begins that time again. */
export function withProgress<T>(onProgress: () => void, work: () => T): T {
  return context.run({ ...context.getStore(), onProgress }, work);
}

/** Begins the time limit of the current work again; undefined when it has none. For what waits for something that is known to come. */
export function currentProgress(): (() => void) | undefined {
  return context.getStore()?.onProgress;
}

export function currentRequestId(): string | undefined {
  return context.getStore()?.requestId;
}

/** Runs `work` at this position of a trace, within the request that is current, if any. */
export function withTrace<T>(trace: TraceContext, work: () => T): T {
  return context.run({ ...context.getStore(), trace }, work);
}

/** Runs `work` without the `tracestate` of the caller, which is for services of the operator. */
export function withoutTraceState<T>(work: () => T): T {
  const trace = currentTrace();
  return trace?.state === undefined ? work() : withTrace({ ...trace, state: undefined }, work);
}

/** The position in the current trace; undefined outside of traces, and when traces are off. */
export function currentTrace(): TraceContext | undefined {
  return context.getStore()?.trace;
}

/** The actor of the current request; undefined outside of requests. */
export function currentActor(): Actor | undefined {
  return context.getStore()?.actor?.();
}

/** Runs `work` outside the context of the request. */
export function outsideRequest<T>(work: () => T): T {
  return context.exit(work);
}

/** Adds a statement to the first unit of work that this request commits, unless it is cancelled before. */
export function piggyback(statement: PiggybackedStatement['statement']): PiggybackedStatement {
  const store = context.getStore();
  if (!store) throw new Error('piggyback() was called outside a request');
  return (store.piggybacked = { statement, state: 'waiting' });
}

/** The statement that the unit of work which starts now has to include. */
export function pendingPiggyback(): PiggybackedStatement | undefined {
  const piggybacked = context.getStore()?.piggybacked;
  return piggybacked?.state === 'waiting' ? piggybacked : undefined;
}
