const MOST = 256;

/** What was made for a key, for the next who asks for it: the newest 256. What fell out is made again. */
export class Kept<Value> {
  private readonly values = new Map<string, Value>();

  get(key: string, make: () => Value): Value {
    let value = this.values.get(key);
    if (value === undefined) {
      value = make();
      this.values.set(key, value);
      const [oldest] = this.values.size > MOST ? this.values.keys() : [];
      if (oldest !== undefined) this.values.delete(oldest);
    }
    return value;
  }

  all(): readonly Value[] {
    return [...this.values.values()];
  }
}
