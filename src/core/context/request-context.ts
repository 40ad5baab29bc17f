import { AsyncLocalStorage } from 'node:async_hooks';

const context = new AsyncLocalStorage<{ requestId: string }>();

/** Runs `work` so that log lines and journal entries made by it name the request that caused them. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return context.run({ requestId }, work);
}

export function currentRequestId(): string | undefined {
  return context.getStore()?.requestId;
}
