import type { EmbeddingModel, EmbedOptions } from './embedding-model.js';

// 2,000 vectors of 512 numbers are 4 MB.
const MOST_KEPT = 2000;

/** Vectors of texts that come again with every question; the least recently used are forgotten. */
export class VectorCache {
  private readonly kept = new Map<string, Float32Array>();
  /** Texts that are being embedded for somebody, and when that is over, however it ends. */
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(private readonly model: EmbeddingModel) {}

  /**
   * Vectors of `question`, which is not kept, and of texts, which are: what is new of `shared` goes to the model in one call with the
   * question, what is new of `own` in a second one. What others are having embedded at the moment is waited for; should they
   * give up, it is embedded after all.
   *
   * @param shared texts that others ask for too: they do not wait for anything of `own`
   */
  async vectors(
    question: string,
    { shared, own }: { readonly shared: readonly string[]; readonly own: readonly string[] },
    options: { readonly signal: AbortSignal; readonly caller?: string },
  ): Promise<{ question: Float32Array; texts: ReadonlyMap<string, Float32Array> }> {
    const found = new Map<string, Float32Array>();
    const fresh = (texts: readonly string[]): string[] => this.missing(texts, found).filter((text) => !this.underWay.has(text));
    const group = async (others: readonly string[], texts: readonly string[]): Promise<Float32Array[]> => {
      const mine = fresh(texts);
      if (others.length + mine.length === 0) return [];
      const vectors = await this.embed(others, mine, options);
      mine.forEach((text, index) => found.set(text, vectors[others.length + index] ?? new Float32Array()));
      return vectors;
    };
    const [[asked]] = await Promise.all([group([question], shared), group([], own)]);
    const texts = [...shared, ...own];
    for (let left = this.missing(texts, found); left.length > 0; left = this.missing(texts, found)) {
      const others = left.flatMap((text) => this.underWay.get(text) ?? []);
      if (others.length > 0) await unlessAborted(Promise.all(others), options.signal);
      else for (const [index, vector] of (await this.embed([], left, options)).entries()) found.set(left[index]!, vector);
    }
    for (const [text, vector] of found) this.keep(text, vector);
    return { question: asked ?? new Float32Array(), texts: found };
  }

  /** Those of the texts that are in neither; what is kept is put into `found`. */
  private missing(texts: readonly string[], found: Map<string, Float32Array>): string[] {
    return [...new Set(texts)].filter((text) => {
      const vector = found.get(text) ?? this.kept.get(text);
      if (vector !== undefined) found.set(text, vector);
      return vector === undefined;
    });
  }

  /** Embeds texts that are kept, behind others that are not. */
  private async embed(others: readonly string[], texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const call = this.model.embed([...others, ...texts], options).then((vectors) => {
      texts.forEach((text, index) => this.keep(text, vectors[others.length + index] ?? new Float32Array()));
      return vectors;
    });
    const over = call.then(
      () => this.forgetUnderWay(texts),
      () => this.forgetUnderWay(texts),
    );
    for (const text of texts) this.underWay.set(text, over);
    return call;
  }

  private forgetUnderWay(texts: readonly string[]): void {
    for (const text of texts) this.underWay.delete(text);
  }

  private keep(text: string, vector: Float32Array): void {
    this.kept.delete(text);
    this.kept.set(text, vector);
    if (this.kept.size <= MOST_KEPT) return;
    const oldest = this.kept.keys().next();
    if (!oldest.done) this.kept.delete(oldest.value);
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
