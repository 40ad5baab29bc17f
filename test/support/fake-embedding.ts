import { EmbeddingModel } from '../../src/providers/models/index.js';

const DIMENSION = 128;

/**
 * An encoder that tests can look into: texts are near each other when they share words, and it does nothing by
 * itself. `hold` keeps its answers back, `failWith` makes it fail.
 */
export class FakeEmbedding extends EmbeddingModel {
  override readonly provider = 'fake';
  override readonly dimension = DIMENSION;
  override warm = true;
  /** What it was asked to embed, call by call. */
  readonly calls: string[][] = [];
  failWith: ((texts: readonly string[]) => Error | undefined) | undefined;
  private gate: Promise<void> | undefined;
  private open: () => void = () => undefined;

  constructor(override readonly modelId = 'fake-1') {
    super();
  }

  /** Answers nothing until the function that is returned is called. */
  hold(): () => void {
    this.gate = new Promise((resolve) => (this.open = resolve));
    return () => {
      this.gate = undefined;
      this.open();
    };
  }

  override async embed(texts: readonly string[], { signal }: { signal?: AbortSignal } = {}): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    this.calls.push([...texts]);
    if (this.gate) {
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      );
      await Promise.race([this.gate, aborted]);
    }
    const failure = this.failWith?.(texts);
    if (failure) throw failure;
    this.warm = true;
    return texts.map(vectorOf);
  }

  override async close(): Promise<void> {
    await Promise.resolve();
  }
}

/** The sum of a direction for each word, of length 1. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSION);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    let seed = [...word].reduce((hash, letter) => (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) & 0x7fffffff, 17) || 1;
    for (let index = 0; index < DIMENSION; index += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      vector[index] = (vector[index] ?? 0) + seed / 2_147_483_647 - 0.5;
    }
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((element) => element / length);
}
