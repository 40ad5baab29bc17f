import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Log } from '../../core/logging/index.js';
import { ModelRegistry, truncateQuestion, similarity, type EmbeddingModel } from '../../providers/models/index.js';
import { onlyRoom, roomAudiences, isVisibleTo, type Audience } from './audience.js';
import { parseOrigin, parseText } from './memory-json.js';
import { emptyRecall, type RecalledMemory, type RecallResult, type SearchOutcome, type SkipReason } from './recall-result.js';
import { MAX_FETCHED, VectorsRepository, type FetchedRow } from './repositories/vectors.repository.js';
import { MemoryTextSearchRepository } from './repositories/memory-text-search.repository.js';
import { signatureOf } from './vector-index.js';
import { VectorIndexes } from './vector-indexes.js';
import { fromVectorText } from './vector-text.js';
import { rankMatches, parseTerms, type Term } from './keyword-search.js';

export interface RecallOptions {
  /** Maximum number of memories, up to 128. */
  readonly limit: number;
  /** Time limit in ms; the result holds what was found by then. */
  readonly budgetMs: number;
  /** The audiences whose memories may be returned, besides the agent's own knowledge. Absent: all. */
  readonly audiences?: () => Promise<ReadonlySet<string>>;
  /** Key for fair scheduling of embedding requests; the agent's id when absent. */
  readonly caller?: string;
  /** Memories to leave out, such as the conversation that is already in the prompt. */
  readonly excludeIds?: ReadonlySet<string>;
  /** Leaves out memories of this author. */
  readonly excludeAuthorId?: string;
  /** Only memories of this room. */
  readonly roomId?: string;
  /** Minimum cosine similarity, -1 to 1; 0.3 when absent. */
  readonly minSimilarity?: number;
  /** Ends the search; the result holds what was found by then. */
  readonly signal?: AbortSignal;
}

const MAX_QUERY_LENGTH = 600;
const MIN_SIMILARITY = 0.3;
const MAX_TERMS = 12;
/** Memories that the search by words reads at a time. */
const WORDS_PAGE = 32;
// After this many timeouts or failures in a row, semantic search backs off.
const MAX_CONSECUTIVE_MISSES = 3;
const BACKOFF_MS = 10_000;

/** Result of one search. `covers` tells whether the search covered a memory. */
type SearchResult =
  { readonly memories: readonly RecalledMemory[]; readonly covers?: (memoryId: string) => boolean } | { readonly skipped: SkipReason };

/** Searches an agent's memories in all its rooms, semantically and by keywords. */
@Injectable()
export class Recall {
  private consecutiveMisses = 0;
  private backoffUntil = 0;
  private failing = false;
  private readonly log = new Log('memory');

  constructor(
    private readonly indexes: VectorIndexes,
    private readonly textSearch: MemoryTextSearchRepository,
    private readonly vectors: VectorsRepository,
    private readonly models: ModelRegistry,
    private readonly clock: Clock,
  ) {}

  /** As `search`, but returns only the memories. */
  async relevant(agentId: string, query: string, options: RecallOptions): Promise<readonly RecalledMemory[]> {
    return (await this.search(agentId, query, options)).memories;
  }

  /**
   * Memories that match `query`. Runs a semantic search (the newest 100,000 embedded memories) and a keyword search (all memories) in
   * parallel. The keyword search covers memories without a vector, and all memories when embedding the query times out. Never throws
   * and never exceeds the budget; failures are logged.
   */
  async search(agentId: string, query: string, options: RecallOptions): Promise<RecallResult> {
    const question = truncateQuestion(query, MAX_QUERY_LENGTH);
    if (question === '' || options.limit < 1 || options.budgetMs <= 0) return emptyRecall(this.clock.now());
    const began = this.clock.now();
    const limit = new AbortController();
    const cancel = this.clock.after(options.budgetMs, () => limit.abort());
    const signal = options.signal ? AbortSignal.any([limit.signal, options.signal]) : limit.signal;
    const cold = this.models.embeddings()?.warm === false;
    const audience = audienceFor(options);
    const run = async (work: (audience: Audience) => Promise<SearchResult>): Promise<{ result: SearchResult; durationMs: number }> => {
      const result = await unlessAborted(
        audience.then(work).catch((error: unknown) => this.onSearchFailure(error, signal)),
        signal,
      );
      return {
        result: result ?? { skipped: options.signal?.aborted === true ? 'cancelled' : 'late' },
        durationMs: this.clock.now() - began,
      };
    };
    try {
      const [meaning, words] = await Promise.all([
        run((audience) => this.byMeaning(agentId, question, audience, options, signal)),
        run((audience) => this.byWords(agentId, question, audience, options)),
      ]);
      return {
        memories: mergeResults(meaning.result, words.result, options.limit),
        byMeaning: outcomeOf(meaning, cold),
        byWords: outcomeOf(words),
        at: this.clock.now(),
        durationMs: this.clock.now() - began,
      };
    } finally {
      cancel();
    }
  }

  private async byMeaning(
    agentId: string,
    query: string,
    audience: Audience,
    options: RecallOptions,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const { limit, minSimilarity = MIN_SIMILARITY } = options;
    const model = this.models.embeddings();
    if (!model) return { skipped: 'off' };
    const index = await this.indexes.get(agentId, model.modelId);
    // Checked first, so that the encoder does not start without candidates.
    if (index.size === 0) return { skipped: 'nothing_embedded' };
    if (!index.hasCandidates(audience)) return { skipped: 'nothing_allowed' };
    if (this.clock.now() < this.backoffUntil) return { skipped: 'resting' };
    const vector = await this.vectorOf(query, model, options.caller ?? agentId, signal, options.signal);
    const rows = await this.vectors.fetch(index.nearest(signatureOf(vector), MAX_FETCHED, audience), model.modelId);
    const memories = rows
      .filter((row) => matchesOptions(row, options) && isVisibleTo(audience, agentId, row))
      .map((row) => toRecalled(row, row.vector === null ? -1 : similarity(vector, fromVectorText(row.vector))))
      .filter((found) => found.similarity !== null && found.similarity >= minSimilarity)
      .sort((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0));
    return { memories: memories.slice(0, limit), covers: (memoryId) => index.has(memoryId) };
  }

  private async vectorOf(
    query: string,
    model: EmbeddingModel,
    caller: string,
    signal: AbortSignal,
    cancelled?: AbortSignal,
  ): Promise<Float32Array> {
    const cold = !model.warm;
    try {
      signal.throwIfAborted();
      const [vector] = await model.embed([query], { signal, caller });
      if (this.failing) this.log.info('semantic search of memories works again');
      this.consecutiveMisses = 0;
      this.failing = false;
      return vector ?? new Float32Array();
    } catch (error) {
      if (!cold && cancelled?.aborted !== true) this.recordMiss();
      throw error;
    }
  }

  private async byWords(agentId: string, query: string, audience: Audience, options: RecallOptions): Promise<SearchResult> {
    const terms = parseTerms(query, MAX_TERMS);
    if (terms.length === 0) return { memories: [] };
    const ids = await this.idsByWords(agentId, terms, audience, options.excludeAuthorId);
    if (ids === undefined) return { skipped: 'nothing_allowed' };
    if (ids.length === 0) return { memories: [] };
    const model = this.models.embeddings();
    const index = model && (await this.indexes.get(agentId, model.modelId).catch(() => undefined));
    const found: FetchedRow[] = [];
    for (let rest = ids; rest.length > 0;) {
      const page = rest.slice(0, WORDS_PAGE);
      const rows = new Map((await this.vectors.fetch(page, '')).map((row) => [row.id, row]));
      found.push(
        ...page.flatMap((id) => rows.get(id) ?? []).filter((row) => matchesOptions(row, options) && isVisibleTo(audience, agentId, row)),
      );
      rest = rest.slice(WORDS_PAGE);
      // Of the others, the result can only have those that the semantic search does not cover.
      if (found.length >= options.limit) rest = rest.filter((id) => model && index?.has(id) !== true);
    }
    return { memories: found.map((row) => toRecalled(row, null)) };
  }

  /** Ids of the memories that match the terms best; undefined when the audience may see none. */
  private async idsByWords(
    agentId: string,
    terms: readonly Term[],
    { rooms, exclude }: Audience,
    excludeAuthorId = '',
  ): Promise<string[] | undefined> {
    const room = onlyRoom(rooms);
    if (room !== undefined) {
      const excluded = exclude ?? new Set();
      if (!(await this.textSearch.hasCandidates(agentId, room, excluded))) return undefined;
      const matches = await this.textSearch.matchesInRoom(agentId, terms, room, excluded);
      if (matches) return this.textSearch.memoriesAt(rankMatches(matches, MAX_FETCHED), excludeAuthorId);
    }
    const found = await Promise.all(terms.map((term) => this.textSearch.matches(agentId, term, rooms, exclude?.size ?? 0)));
    const visible = found.map((matches) =>
      matches.filter((match) => exclude?.has(match.id) !== true && isVisibleTo({ rooms }, agentId, match)),
    );
    return rankMatches(visible, MAX_FETCHED);
  }

  private recordMiss(): void {
    this.consecutiveMisses += 1;
    if (this.consecutiveMisses < MAX_CONSECUTIVE_MISSES) return;
    this.backoffUntil = this.clock.now() + BACKOFF_MS;
    if (!this.failing) this.log.warn('embeddings time out; memories are searched by keywords only until embeddings work again');
    this.failing = true;
  }

  /** Logs the first of consecutive failures only: an unavailable service would fill the log. */
  private onSearchFailure(error: unknown, signal: AbortSignal): SearchResult | undefined {
    if (signal.aborted) return undefined;
    if (!this.failing) this.log.warn('memories could not be searched', { error: String(error) });
    this.failing = true;
    return { skipped: 'failed' };
  }
}

/** The result of the work; undefined if the signal aborts first. */
async function unlessAborted<T>(work: Promise<T | undefined>, signal: AbortSignal): Promise<T | undefined> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Semantic matches, followed by the keyword matches that the semantic search did not cover. */
function mergeResults(meaning: SearchResult, words: SearchResult, limit: number): RecalledMemory[] {
  const byWords = 'memories' in words ? words.memories : [];
  if (!('memories' in meaning)) return byWords.slice(0, limit);
  const uncovered = byWords.filter(({ memoryId }) => meaning.covers?.(memoryId) !== true);
  const capacity = Math.max(limit - meaning.memories.length, Math.floor(limit / 2));
  const added = uncovered.slice(0, capacity);
  return [...meaning.memories.slice(0, limit - added.length), ...added];
}

function outcomeOf({ result, durationMs }: { result: SearchResult; durationMs: number }, cold = false): SearchOutcome {
  if ('memories' in result) return { found: result.memories.length, durationMs };
  return { skipped: cold && result.skipped === 'late' ? 'cold' : result.skipped, durationMs };
}

function matchesOptions(row: FetchedRow, { excludeAuthorId, roomId }: RecallOptions): boolean {
  return row.entity_id !== excludeAuthorId && (roomId === undefined || row.room_id === roomId);
}

/** Resolved once for both searches. */
async function audienceFor({ audiences, excludeIds: exclude, roomId }: RecallOptions): Promise<Audience> {
  const rooms = await audiences?.();
  if (roomId === undefined) return { exclude, rooms };
  return { exclude, rooms: new Set(roomAudiences(roomId).filter((audience) => rooms?.has(audience) !== false)) };
}

function toRecalled(row: FetchedRow, similarity: number | null): RecalledMemory {
  return {
    memoryId: row.id,
    roomId: row.room_id,
    authorId: row.entity_id,
    authorName: parseOrigin(row.metadata).authorName,
    text: parseText(row.content),
    at: Number(row.created_at),
    similarity,
  };
}
