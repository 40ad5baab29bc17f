import type { EmbeddingModel } from './embedding-model.js';

// 2,000 vectors of 512 numbers are 4 MB.
const MOST_KEPT = 2000;

/** Vectors of texts that come again with every question; the least recently used are forgotten. */
export class VectorCache {
  private readonly kept = new Map<string, Float32Array>();

  constructor(private readonly model: EmbeddingModel) {}

  /** Vectors of `question`, which is not kept, and of `texts`, which are: one call of the model for all that is new. */
  async vectors(
    question: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ question: Float32Array; texts: ReadonlyMap<string, Float32Array> }> {
    const found = new Map<string, Float32Array>();
    const fresh: string[] = [];
    for (const text of new Set(texts)) {
      const vector = this.kept.get(text);
      if (vector === undefined) fresh.push(text);
      else found.set(text, vector);
    }
    const [asked, ...vectors] = await this.model.embed([question, ...fresh], { signal });
    fresh.forEach((text, index) => found.set(text, vectors[index] ?? new Float32Array()));
    for (const [text, vector] of found) this.keep(text, vector);
    return { question: asked ?? new Float32Array(), texts: found };
  }

  private keep(text: string, vector: Float32Array): void {
    this.kept.delete(text);
    this.kept.set(text, vector);
    if (this.kept.size <= MOST_KEPT) return;
    const oldest = this.kept.keys().next();
    if (!oldest.done) this.kept.delete(oldest.value);
  }
}
