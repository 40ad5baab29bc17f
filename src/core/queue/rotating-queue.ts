/**
 * A queue for something scarce. Those at each level of a path take turns, however many items each has waiting: with `[agent, user]`, agents
 * take turns, and in the turns of an agent its users. Items of equal paths stay in order.
 */
export class RotatingQueue<T> {
  private readonly items: T[] = [];
  private readonly parts = new Map<string, RotatingQueue<T>>();

  add(item: T, [first, ...rest]: readonly string[]): void {
    if (first === undefined) {
      this.items.push(item);
      return;
    }
    const part = this.parts.get(first) ?? new RotatingQueue<T>();
    this.parts.set(first, part);
    part.add(item, rest);
  }

  /** Removes the next item. */
  take(): T | undefined {
    const [next] = this.parts;
    if (next === undefined) return this.items.shift();
    const [name, part] = next;
    const item = part.take();
    this.parts.delete(name);
    // Behind the others.
    if (!part.isEmpty) this.parts.set(name, part);
    return item;
  }

  private get isEmpty(): boolean {
    return this.items.length === 0 && this.parts.size === 0;
  }
}
