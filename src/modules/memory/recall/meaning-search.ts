import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { Log } from '../../../core/logging/index.js';
import { Tracer } from '../../../core/telemetry/index.js';
import { embeddingsSpan, meanVector, ModelRegistry, similarity, type EmbeddingModel } from '../../../providers/models/index.js';
import { pieceLimits, splitIntoPieces } from '../vectors/text-pieces.js';
import { signatureOf, type IndexFilter, type VectorIndex } from '../vectors/vector-index.js';
import { VectorIndexes } from '../vectors/vector-indexes.js';
import type { SkipReason } from './recall-result.js';

/** Pieces that are compared exactly. */
const MAX_COMPARED = 128;
// Searching again with the best matches finds changes: "My new boss is Ada." resembles "My boss is Bob.", but not "Who do I report to?".
const SEEDS = 3;
/** Of the pieces of a memory, those match that are at least so similar as the best, relative to it. */
const NEAR_BEST = 0.75;
/** Of a text with several sentences, one may be what it asks. */
const MAX_PIECES_COMPARED = 4;
const MIN_SEED_SIMILARITY = 0.3;
const MAX_RELATED = 48;
// After this many timeouts or failures in a row, searches go without the model for a while; then one query at a time tries it.
const MAX_CONSECUTIVE_MISSES = 3;
const REST_MS = 2000;
const DEFAULT_PIECE_LENGTH = 200;

/** A memory whose text is similar to a query. */
export interface SimilarMemory {
  readonly memoryId: string;
  /** Of the best piece. */
  readonly similarity: number;
  /** Numbers of the pieces that are almost as similar, most similar first. */
  readonly pieces: readonly number[];
}

/** Memories that are similar to the query, and to the best of these; each most similar first. */
export interface SimilarLists {
  readonly similar: readonly SimilarMemory[];
  readonly related: readonly SimilarMemory[];
}

export interface MeaningMatches {
  /** For each filter. */
  readonly lists: readonly SimilarLists[];
  /** Whether the search covered a memory. */
  covers(memoryId: string): boolean;
}

/** Thrown when a search is not worth beginning. */
export class SearchSkipped extends Error {
  constructor(readonly reason: SkipReason) {
    super(`search skipped: ${reason}`);
  }
}

export interface MeaningQuery {
  readonly agentId: string;
  readonly text: string;
  /** See `RecallOptions`. */
  readonly previous: string | undefined;
  /** See `EmbedOptions`. */
  readonly caller: string;
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** Also searches for memories that resemble the best ones. */
  readonly related: boolean;
  /** Aborted when the caller has lost interest, which is no fault of the model. */
  readonly cancelled: AbortSignal | undefined;
}

/** Searches an agent's memories by the meaning of their texts. */
@Injectable()
export class MeaningSearch {
  private consecutiveMisses = 0;
  private restUntil = 0;
  private probing = false;
  private readonly log = new Log('memory');

  constructor(
    private readonly indexes: VectorIndexes,
    private readonly models: ModelRegistry,
    private readonly tracer: Tracer,
    private readonly clock: Clock,
  ) {}

  /** See `EmbeddingModel`. */
  get pieceLength(): number {
    return this.models.embeddings()?.pieceLength ?? DEFAULT_PIECE_LENGTH;
  }

  /** Whether the model would have to start first. */
  get isCold(): boolean {
    return this.models.embeddings()?.warm === false;
  }

  /** Whether there is a model that knows the language of a query. */
  canSearch(text: string): boolean {
    return this.models.embeddings()?.understands(text) === true;
  }

  /**
   * The most similar memories for each filter.
   *
   * @throws SearchSkipped; the error of the model; the signal's reason
   */
  async search(query: MeaningQuery, filters: readonly IndexFilter[]): Promise<MeaningMatches> {
    const model = this.models.embeddings();
    if (!model) throw new SearchSkipped('off');
    if (!model.understands(query.text)) throw new SearchSkipped('language');
    const index = await this.indexes.get(query.agentId, model.modelId);
    // Checked first, so that the encoder does not start without candidates.
    if (index.size === 0) throw new SearchSkipped('nothing_embedded');
    if (!filters.some((filter) => index.hasCandidates(filter))) throw new SearchSkipped('nothing_allowed');
    const vectors = await this.vectorsOf(query, model);
    const lists = await Promise.all(filters.map((filter) => this.nearest(index, vectors, filter, query.related, model.modelId)));
    return { lists, covers: (memoryId) => index.has(memoryId) };
  }

  private async nearest(
    index: VectorIndex,
    queries: readonly Float32Array[],
    filter: IndexFilter,
    withRelated: boolean,
    model: string,
  ): Promise<SimilarLists> {
    const similar = await this.compared(index, queries, MAX_COMPARED, filter, model);
    const seeds = similar.filter((found) => found.similarity >= MIN_SEED_SIMILARITY).slice(0, SEEDS);
    if (!withRelated || seeds.length === 0) return { similar, related: [] };
    const related = await this.compared(
      index,
      seeds.map(({ vector }) => vector),
      MAX_RELATED,
      filter,
      model,
    );
    return { similar, related };
  }

  /** The memories whose pieces are nearest to one of the queries, most similar first. */
  private async compared(
    index: VectorIndex,
    queries: readonly Float32Array[],
    count: number,
    filter: IndexFilter,
    model: string,
  ): Promise<(SimilarMemory & { readonly vector: Float32Array })[]> {
    const candidates = index.nearest(queries.map(signatureOf), count, filter);
    if (candidates.length === 0) return [];
    const found = new Map<string, { piece: number; similarity: number; vector: Float32Array }[]>();
    for (const { memoryId, piece, vector } of await this.indexes.vectorsOf(candidates, model)) {
      const scored = { piece, vector, similarity: Math.max(...queries.map((query) => similarity(query, vector))) };
      found.set(memoryId, [...(found.get(memoryId) ?? []), scored]);
    }
    return [...found]
      .flatMap(([memoryId, pieces]) => {
        const [best] = pieces.sort((a, b) => b.similarity - a.similarity);
        if (!best) return [];
        const near = pieces.filter((each) => each.similarity >= NEAR_BEST * best.similarity);
        return [{ memoryId, similarity: best.similarity, vector: best.vector, pieces: near.map(({ piece }) => piece) }];
      })
      .sort((a, b) => b.similarity - a.similarity);
  }

  /**
   * See `comparedVectors`. Texts are embedded in the pieces that they have as memories, so that a model which keeps vectors embeds a message
   * once.
   */
  private async vectorsOf({ text, previous, caller, signal, cancelled }: MeaningQuery, model: EmbeddingModel): Promise<Float32Array[]> {
    const failing = this.consecutiveMisses >= MAX_CONSECUTIVE_MISSES;
    if (failing && (this.probing || this.isResting)) throw new SearchSkipped('resting');
    this.probing = failing;
    const cold = !model.warm;
    try {
      signal.throwIfAborted();
      const { name, attributes } = embeddingsSpan(model);
      const asked = piecesOf(text, model);
      const pieces = [...asked, ...(previous === undefined ? [] : piecesOf(previous, model))];
      const vectors = await this.tracer.span(name, attributes, () => model.embed(pieces, { signal, caller }), { kind: 'client' });
      if (failing) this.log.info('semantic search of memories works again');
      this.consecutiveMisses = 0;
      return comparedVectors(vectors.slice(0, asked.length), vectors.slice(asked.length));
    } catch (error) {
      if (!cold && cancelled?.aborted !== true) this.recordMiss();
      throw error;
    } finally {
      if (failing) this.probing = false;
    }
  }

  /** A clock that was set back does not make the rest longer. */
  private get isResting(): boolean {
    const left = this.restUntil - this.clock.now();
    return left > 0 && left <= REST_MS;
  }

  private recordMiss(): void {
    this.consecutiveMisses += 1;
    this.restUntil = this.clock.now() + REST_MS;
    if (this.consecutiveMisses !== MAX_CONSECUTIVE_MISSES) return;
    this.log.warn('embeddings fail or time out; memories are searched by words until they work again');
  }
}

function piecesOf(text: string, { pieceLength }: EmbeddingModel): string[] {
  return splitIntoPieces(text, pieceLimits(pieceLength, false)).map((piece) => piece.text);
}

/**
 * The vectors that memories are compared with, of which the best counts: the mean of the text's pieces, each of the first pieces, and the mean of the
 * text and of the text before.
 */
function comparedVectors(asked: readonly Float32Array[], previous: readonly Float32Array[]): Float32Array[] {
  const whole = meanVector(asked);
  const both = previous.length === 0 ? [] : [meanVector([whole, meanVector(previous)])];
  return [whole, ...(asked.length === 1 ? [] : asked.slice(0, MAX_PIECES_COMPARED)), ...both];
}
