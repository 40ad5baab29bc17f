import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { ModelRegistry, TokenMeter, type EmbeddingModel } from '../../providers/models/index.js';

/** Vectors of texts, in their order. */
export interface EmbeddedTexts {
  readonly vectors: readonly Float32Array[];
  /** Estimated tokens of all texts. */
  readonly tokens: number;
}

/** Embeds texts for clients, with the embedding model of the server. */
@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly models: ModelRegistry,
    private readonly meter: TokenMeter,
  ) {}

  /** Id of the server's embedding model; undefined when it has none. */
  get modelId(): string | undefined {
    return this.models.embeddings()?.modelId;
  }

  /**
   * Embeds texts to their ends. The caller limits their number and their length.
   *
   * @param dimensions  the length that the vectors have to have
   * @param who         the caller's id, for fair scheduling
   * @throws AppError VALIDATION_ERROR for other `dimensions`, MODEL_UNAVAILABLE, MODEL_REJECTED
   */
  async embed(
    texts: readonly string[],
    { dimensions, who, signal }: { readonly dimensions?: number; readonly who: string; readonly signal: AbortSignal },
  ): Promise<EmbeddedTexts> {
    const model = this.model();
    assertDimension(dimensions, model.dimension);
    // A list is an index that is being built; questions of people go first.
    const vectors = await model.embed(texts, { signal, caller: who, background: texts.length > 1, whole: true });
    // A service tells its dimension with the first response only.
    assertDimension(dimensions, model.dimension);
    return { vectors, tokens: texts.reduce((sum, text) => sum + this.meter.count(text), 0) };
  }

  private model(): EmbeddingModel {
    const model = this.models.embeddings();
    if (model) return model;
    throw new AppError('MODEL_UNAVAILABLE', 'This server has no embedding model.', 'An operator chooses one with EMBEDDING_PROVIDER.');
  }
}

function assertDimension(asked: number | undefined, actual: number | undefined): void {
  if (asked === undefined || actual === undefined || asked === actual) return;
  throw new AppError(
    'VALIDATION_ERROR',
    `dimensions must be ${actual}, the length of the vectors of this model.`,
    'Leave it out: the vectors are not shortened.',
  );
}
