/** Vectors of the most recently used texts. */
export class RecentVectors {
  private readonly vectors = new Map<string, Float32Array>();

  constructor(private readonly maxTexts: number) {}

  get(text: string): Float32Array | undefined {
    const vector = this.vectors.get(text);
    if (vector) this.add(text, vector);
    return vector;
  }

  /** Adds the vector of a text, and drops the text that has been unused for longest when there are too many. */
  add(text: string, vector: Float32Array): void {
    this.vectors.delete(text);
    this.vectors.set(text, vector);
    if (this.vectors.size <= this.maxTexts) return;
    const [oldest] = this.vectors.keys();
    if (oldest !== undefined) this.vectors.delete(oldest);
  }
}
