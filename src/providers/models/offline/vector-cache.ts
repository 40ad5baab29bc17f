import { Log } from '../../../core/logging/index.js';
import type { EmbeddingModel, EmbedOptions } from '../embedding-model.js';

// 2,000 vectors of 512 numbers take 4 MB.
const MAX_CACHED = 2000;

/** Vectors of a question and of the texts that it is compared with. */
export interface QuestionVectors {
  readonly question: Float32Array;
  readonly texts: ReadonlyMap<string, Float32Array>;
}

/** An LRU cache of vectors for texts that are compared with every question. */
export class VectorCache {
  private readonly log = new Log('models');
  private failing = false;
  private readonly cache = new Map<string, Float32Array>();
  /** Texts that are being embedded, with a promise that resolves when the call ends. */
  private readonly inFlight = new Map<string, Promise<void>>();

  constructor(private readonly model: EmbeddingModel) {}

  /** As `vectors`; undefined when the model fails, which is logged once. */
  async vectorsIfPossible(
    question: string,
    texts: readonly string[],
    options: EmbedOptions & { readonly signal: AbortSignal },
  ): Promise<QuestionVectors | undefined> {
    try {
      const vectors = await this.vectors(question, texts, options);
      this.failing = false;
      return vectors;
    } catch (error) {
      if (options.signal.aborted) throw error;
      if (!this.failing) this.log.warn('texts could not be embedded; the offline responder compares words', { error: String(error) });
      this.failing = true;
      return undefined;
    }
  }

  /**
   * Vectors of `question`, which is not cached, and of texts, which are. Missing texts are embedded in one call with the question. Texts
   * that other calls are embedding are awaited, and embedded here if that call fails.
   */
  async vectors(
    question: string,
    texts: readonly string[],
    options: EmbedOptions & { readonly signal: AbortSignal },
  ): Promise<QuestionVectors> {
    options.signal.throwIfAborted();
    const found = new Map<string, Float32Array>();
    const add = (embedded: readonly string[], vectors: readonly Float32Array[]): void =>
      embedded.forEach((text, index) => found.set(text, vectors[index] ?? new Float32Array()));
    const fresh = this.missing(texts, found).filter((text) => !this.inFlight.has(text));
    const [asked, ...vectors] = await this.embed([question], fresh, options);
    add(fresh, vectors);
    for (let left = this.missing(texts, found); left.length > 0; left = this.missing(texts, found)) {
      const others = left.flatMap((text) => this.inFlight.get(text) ?? []);
      if (others.length > 0) await unlessAborted(Promise.all(others), options.signal);
      else add(left, await this.embed([], left, options));
    }
    for (const [text, vector] of found) this.store(text, vector);
    return { question: asked ?? new Float32Array(), texts: found };
  }

  /** The texts without a vector; cached vectors are added to `found`. */
  private missing(texts: readonly string[], found: Map<string, Float32Array>): string[] {
    return [...new Set(texts)].filter((text) => {
      const vector = found.get(text) ?? this.cache.get(text);
      if (vector !== undefined) found.set(text, vector);
      return vector === undefined;
    });
  }

  /** Embeds `others`, which are not cached, and `texts`, which are. */
  private async embed(others: readonly string[], texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const call = this.model.embed([...others, ...texts], options).then((vectors) => {
      texts.forEach((text, index) => this.store(text, vectors[others.length + index] ?? new Float32Array()));
      return vectors;
    });
    const over = call.then(
      () => this.clearInFlight(texts),
      () => this.clearInFlight(texts),
    );
    for (const text of texts) this.inFlight.set(text, over);
    return call;
  }

  private clearInFlight(texts: readonly string[]): void {
    for (const text of texts) this.inFlight.delete(text);
  }

  private store(text: string, vector: Float32Array): void {
    this.cache.delete(text);
    this.cache.set(text, vector);
    if (this.cache.size <= MAX_CACHED) return;
    const oldest = this.cache.keys().next();
    if (!oldest.done) this.cache.delete(oldest.value);
  }
}

async function unlessAborted(settled: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    signal.throwIfAborted();
    await Promise.race([settled, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
