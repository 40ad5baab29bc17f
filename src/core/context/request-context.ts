import { AsyncLocalStorage } from 'node:async_hooks';

/** A statement that the request's first unit of work takes along, whatever that unit does. */
export interface Alongside {
  readonly statement: { readonly sql: string; readonly params: readonly (string | number | boolean | Uint8Array | null)[] };
  state: 'waiting' | 'committed' | 'cancelled';
}

interface RequestContext {
  readonly requestId: string;
  alongside?: Alongside;
}

const context = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that log lines and journal entries made by it name the request that caused them. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return context.run({ requestId }, work);
}

export function currentRequestId(): string | undefined {
  return context.getStore()?.requestId;
}

/** Runs `work` as no part of the request. */
export function apartFromRequest<T>(work: () => T): T {
  return context.exit(work);
}

/** Lets the first unit of work that this request commits take a statement along, as long as that waits. */
export function sendAlong(statement: Alongside['statement']): Alongside {
  const store = context.getStore();
  if (!store) throw new Error('there is no request');
  return (store.alongside = { statement, state: 'waiting' });
}

/** What a unit that begins now takes along. */
export function waitingAlongside(): Alongside | undefined {
  const along = context.getStore()?.alongside;
  return along?.state === 'waiting' ? along : undefined;
}
