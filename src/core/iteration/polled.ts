/** A source of items that is asked for the next one and waited for when it has none, which needs no promise for an item that is here. */
export interface Polled<T> {
  /** The next item; undefined when none is here. */
  poll(): T | undefined;
  /** Resolves when `poll` may have an item, and at once when the source has ended. @throws what ends the source early */
  wait(): Promise<void>;
  readonly hasEnded: boolean;
}

/** The items of a polled source, for callers that take them one by one. */
export async function* iterate<T>(source: Polled<T>): AsyncGenerator<T, void> {
  while (!source.hasEnded) {
    const item = source.poll();
    if (item === undefined) await source.wait();
    else yield item;
  }
}

/** The items of an iterable that yields items and sources of them. */
export async function* flatten<T extends object>(items: AsyncIterable<T | Polled<T>>): AsyncGenerator<T, void> {
  for await (const each of items) {
    if ('poll' in each) yield* iterate(each);
    else yield each;
  }
}

/** As `flatten`; calls `take` with each item. It waits for what `take` returns, unless that is undefined. */
export async function takeAll<T extends object>(
  items: AsyncIterable<T | Polled<T>>,
  take: (item: T) => Promise<void> | undefined | void,
): Promise<void> {
  for await (const each of items) {
    if ('poll' in each) await takePolled(each, take);
    else await take(each);
  }
}

async function takePolled<T>(source: Polled<T>, take: (item: T) => Promise<void> | undefined | void): Promise<void> {
  while (!source.hasEnded) {
    const item = source.poll();
    const waiting = item === undefined ? source.wait() : take(item);
    if (waiting) await waiting;
  }
}
