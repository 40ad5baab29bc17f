/** The same items, each looked at when it comes by. */
export async function* each<T>(items: AsyncIterable<T>, look: (item: T) => void): AsyncGenerator<T, void, undefined> {
  for await (const item of items) {
    look(item);
    yield item;
  }
}
