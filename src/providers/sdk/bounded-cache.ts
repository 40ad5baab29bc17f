const MAX_ENTRIES = 256;

/** A cache of the newest 256 values by key. Evicted values are created again on demand. */
export class BoundedCache<Value> {
  private readonly entries = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.entries.get(key);
  }

  getOrCreate(key: string, make: () => Value): Value {
    let value = this.entries.get(key);
    if (value === undefined) {
      value = make();
      this.entries.set(key, value);
      const [oldest] = this.entries.size > MAX_ENTRIES ? this.entries.keys() : [];
      if (oldest !== undefined) this.entries.delete(oldest);
    }
    return value;
  }

  values(): readonly Value[] {
    return [...this.entries.values()];
  }
}
