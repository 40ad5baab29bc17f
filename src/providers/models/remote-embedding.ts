import { AppError } from '../../core/errors/index.js';
import { EmbeddingModel, type EmbedOptions } from './embedding-model.js';
import type { EmbeddingsApi } from './embeddings-api.js';
import { CallDeadline, withRetries, type SdkTarget } from '../sdk/index.js';
import { embedInChunks, unlimited } from './text-chunks.js';

// The limits of services differ (2048 at OpenAI); a request of this size is fast everywhere.
const MAX_CHUNKS_PER_CALL = 128;
const CHUNK_LIMITS = { maxWords: 100, maxCharacters: 1000, maxChunks: 32 };

/** An embedding model of a service. */
export class RemoteEmbedding extends EmbeddingModel {
  override readonly provider: string;
  override readonly modelId: string;
  override readonly pieceLength = 400;
  private detectedDimension: number | undefined;
  private readonly closing = new AbortController();

  constructor(
    private readonly target: SdkTarget,
    private readonly ask: EmbeddingsApi,
  ) {
    super();
    this.provider = target.provider;
    this.modelId = target.modelId;
  }

  override get dimension(): number | undefined {
    return this.detectedDimension;
  }

  override get warm(): boolean {
    return true;
  }

  override async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const callers = options.signal === undefined ? [this.closing.signal] : [this.closing.signal, options.signal];
    for (const caller of callers) caller.throwIfAborted();
    return embedInChunks(
      texts,
      options.whole === true ? unlimited(CHUNK_LIMITS) : CHUNK_LIMITS,
      (pieces) => this.embedChunks(pieces, callers),
      () => this.detectedDimension,
    );
  }

  override close(): Promise<void> {
    this.closing.abort(new AppError('SERVER_STOPPING', 'The server is shutting down.'));
    return Promise.resolve();
  }

  private async embedChunks(pieces: string[], callers: readonly AbortSignal[]): Promise<Float32Array[]> {
    const limit = new CallDeadline(this.target, callers);
    try {
      const vectors: Float32Array[] = [];
      while (vectors.length < pieces.length) {
        const values = pieces.slice(vectors.length, vectors.length + MAX_CHUNKS_PER_CALL);
        const embeddings = await withRetries(this.target, limit, () => this.ask(values, limit.signal));
        vectors.push(...this.checked(embeddings, values.length));
      }
      this.target.watch?.succeeded();
      return vectors;
    } catch (error) {
      if (!callers.some(({ aborted }) => aborted) && error instanceof AppError) this.target.watch?.failed(error);
      throw error;
    } finally {
      limit.release();
    }
  }

  private checked(embeddings: readonly number[][], expected: number): Float32Array[] {
    this.detectedDimension ??= embeddings[0]?.length;
    const fits = embeddings.length === expected && embeddings.every((vector) => vector.length === this.detectedDimension);
    if (!fits) {
      const { provider, modelId, hint } = this.target;
      throw new AppError('MODEL_UNAVAILABLE', `${provider} (${modelId}) returned vectors that do not match the texts.`, hint);
    }
    return embeddings.map((vector) => Float32Array.from(vector));
  }
}
