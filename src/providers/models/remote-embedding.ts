import type { EmbeddingModelV3 } from '@ai-sdk/provider';
import { AppError } from '../../core/errors/index.js';
import { EmbeddingModel, type EmbedOptions } from './embedding-model.js';
import { CallLimit, withAttempts, type SdkTarget } from '../sdk/index.js';
import { embedByPieces } from './text-pieces.js';

// Services differ in their limit (2048 at OpenAI); a request of this size is quick everywhere.
const MOST_PER_CALL = 128;
const PIECES = { words: 100, characters: 1000, most: 32 };

/** Any embedding model of the AI SDK's provider level, loaded when it is first used. */
export class RemoteEmbedding extends EmbeddingModel {
  override readonly provider: string;
  override readonly modelId: string;
  private loading: Promise<EmbeddingModelV3> | undefined;
  private learntDimension: number | undefined;
  private readonly closing = new AbortController();

  constructor(
    private readonly target: SdkTarget,
    private readonly load: () => Promise<EmbeddingModelV3>,
  ) {
    super();
    this.provider = target.provider;
    this.modelId = target.modelId;
  }

  override get dimension(): number | undefined {
    return this.learntDimension;
  }

  override get warm(): boolean {
    return true;
  }

  override async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const callers = options.signal === undefined ? [this.closing.signal] : [this.closing.signal, options.signal];
    for (const caller of callers) caller.throwIfAborted();
    return embedByPieces(
      texts,
      PIECES,
      (pieces) => this.embedPieces(pieces, callers),
      () => this.learntDimension,
    );
  }

  override close(): Promise<void> {
    this.closing.abort(new AppError('SERVER_STOPPING', 'The server is shutting down.'));
    return Promise.resolve();
  }

  private async embedPieces(pieces: string[], callers: readonly AbortSignal[]): Promise<Float32Array[]> {
    const limit = new CallLimit(this.target, callers);
    try {
      const vectors: Float32Array[] = [];
      while (vectors.length < pieces.length) {
        const values = pieces.slice(vectors.length, vectors.length + MOST_PER_CALL);
        const { embeddings } = await withAttempts(this.target, limit, async () => {
          this.loading ??= this.load();
          return (await this.loading).doEmbed({ values, abortSignal: limit.signal });
        });
        vectors.push(...this.checked(embeddings, values.length));
      }
      return vectors;
    } finally {
      limit.release();
    }
  }

  private checked(embeddings: readonly number[][], expected: number): Float32Array[] {
    this.learntDimension ??= embeddings[0]?.length;
    const fits = embeddings.length === expected && embeddings.every((vector) => vector.length === this.learntDimension);
    if (!fits) {
      const { provider, modelId, hint } = this.target;
      throw new AppError('MODEL_UNAVAILABLE', `${provider} (${modelId}) sent vectors that do not fit the texts.`, hint);
    }
    return embeddings.map((vector) => Float32Array.from(vector));
  }
}
