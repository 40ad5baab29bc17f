/** Passes the items through and calls `look` with each. */
export async function* tap<T>(items: AsyncIterable<T>, look: (item: T) => void): AsyncGenerator<T, void, undefined> {
  for await (const item of items) {
    look(item);
    yield item;
  }
}
