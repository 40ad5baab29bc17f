import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Log } from '../../core/logging/index.js';
import { ModelRegistry, questionOf, similarity, type EmbeddingModel } from '../../providers/models/index.js';
import { audiencesWithin, isFor, type Audience } from './audience.js';
import { originOfJson, textOfJson } from './memory-json.js';
import { nothingAsked, type Recalled, type Recollection, type SearchOutcome, type Skipped } from './recollection.js';
import { MOST_FETCHED, VectorsRepository, type FetchedRow } from './repositories/vectors.repository.js';
import { WordsRepository } from './repositories/words.repository.js';
import { sketchOf } from './shelf.js';
import { Shelves } from './shelves.js';
import { fromVectorText } from './vector-text.js';
import { best, termsOf } from './words.js';

export interface RecallOptions {
  /** Most memories to find, up to 128. */
  readonly limit: number;
  /** The answer is there within this time, ms; with what was found by then. */
  readonly budgetMs: number;
  /** The audiences whose memories may be told, besides the agent's own knowledge. Absent: all. */
  readonly audiences?: () => Promise<ReadonlySet<string>>;
  /** Whose question it is, so that the questions of one do not hold up those of others; the agent's own when absent. */
  readonly caller?: string;
  /** Memories to leave out: the conversation that the model sees anyway. */
  readonly excludeIds?: ReadonlySet<string>;
  /** Leaves out what this entity said. */
  readonly exceptAuthor?: string;
  /** Only what was said in this room. */
  readonly roomId?: string;
  /** Least similarity, -1 to 1; 0.3 when absent. */
  readonly minSimilarity?: number;
  /** Ends the search; the answer is what was found by then. */
  readonly signal?: AbortSignal;
}

const LONGEST_QUERY = 600;
const LEAST_SIMILARITY = 0.3;
const MOST_TERMS = 12;
// A model that was late or failed so often in a row is left alone for a while.
const MOST_MISSED = 3;
const REST_MS = 10_000;

/** How one way to search ended. `reaches` tells whether it could have found a memory. */
type Ended = { readonly memories: readonly Recalled[]; readonly reaches?: (memoryId: string) => boolean } | { readonly skipped: Skipped };

/** Finds what an agent remembers about something, in all its rooms. */
@Injectable()
export class Recall {
  /** How often in a row no vector came. */
  private missed = 0;
  private restingUntil = 0;
  private failing = false;
  private readonly log = new Log('memory');

  constructor(
    private readonly shelves: Shelves,
    private readonly words: WordsRepository,
    private readonly vectors: VectorsRepository,
    private readonly models: ModelRegistry,
    private readonly clock: Clock,
  ) {}

  /** As `search`, the memories alone. */
  async relevant(agentId: string, query: string, options: RecallOptions): Promise<readonly Recalled[]> {
    return (await this.search(agentId, query, options)).memories;
  }

  /**
   * Memories of the agent that have to do with `query`. Searches by meaning (among its newest 100,000 memories that have vectors) and
   * by words (among all) at the same time: words find what has no vector yet, and everything when the vectors do not come in time.
   * Never throws and never takes longer than the budget; failures are logged.
   */
  async search(agentId: string, query: string, options: RecallOptions): Promise<Recollection> {
    const asked = questionOf(query, LONGEST_QUERY);
    if (asked === '' || options.limit < 1 || options.budgetMs <= 0) return nothingAsked(this.clock.now());
    const began = this.clock.now();
    const limit = new AbortController();
    const cancel = this.clock.after(options.budgetMs, () => limit.abort());
    const signal = options.signal ? AbortSignal.any([limit.signal, options.signal]) : limit.signal;
    const cold = this.models.embeddings()?.warm === false;
    const audience = audienceFor(options);
    const run = async (work: (heard: Audience) => Promise<Ended>): Promise<{ ended: Ended; durationMs: number }> => {
      const ended = await unlessAborted(
        audience.then(work).catch((error: unknown) => this.failed(error, signal)),
        signal,
      );
      return { ended: ended ?? { skipped: options.signal?.aborted === true ? 'cancelled' : 'late' }, durationMs: this.clock.now() - began };
    };
    try {
      const [meaning, words] = await Promise.all([
        run((heard) => this.byMeaning(agentId, asked, heard, options, signal)),
        run((heard) => this.byWords(agentId, asked, heard, options)),
      ]);
      return {
        memories: merged(meaning.ended, words.ended, options.limit),
        byMeaning: outcomeOf(meaning, cold),
        byWords: outcomeOf(words),
        at: this.clock.now(),
        durationMs: this.clock.now() - began,
      };
    } finally {
      cancel();
    }
  }

  private async byMeaning(agentId: string, query: string, audience: Audience, options: RecallOptions, signal: AbortSignal): Promise<Ended> {
    const { limit, minSimilarity = LEAST_SIMILARITY } = options;
    const model = this.models.embeddings();
    if (!model) return { skipped: 'off' };
    const shelf = await this.shelves.of(agentId, model.modelId);
    // The encoder is not started for nothing.
    if (shelf.size === 0) return { skipped: 'nothing_embedded' };
    if (!shelf.offers(audience)) return { skipped: 'nothing_allowed' };
    if (this.clock.now() < this.restingUntil) return { skipped: 'resting' };
    const vector = await this.vectorOf(query, model, options.caller ?? agentId, signal, options.signal);
    const rows = await this.vectors.fetch(shelf.nearest(sketchOf(vector), MOST_FETCHED, audience), model.modelId);
    const memories = rows
      .filter((row) => isWanted(row, options) && isFor(audience, agentId, row))
      .map((row) => toRecalled(row, row.vector === null ? -1 : similarity(vector, fromVectorText(row.vector))))
      .filter((found) => found.similarity !== null && found.similarity >= minSimilarity)
      .sort((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0));
    return { memories: memories.slice(0, limit), reaches: (memoryId) => shelf.has(memoryId) };
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
      if (this.failing) this.log.info('memories are searched by meaning again');
      this.missed = 0;
      this.failing = false;
      return vector ?? new Float32Array();
    } catch (error) {
      if (!cold && cancelled?.aborted !== true) this.miss();
      throw error;
    }
  }

  private async byWords(agentId: string, query: string, audience: Audience, options: RecallOptions): Promise<Ended> {
    const { rooms, exclude } = audience;
    const leftOut = exclude?.size ?? 0;
    const held = await Promise.all(termsOf(query, MOST_TERMS).map((term) => this.words.holders(agentId, term, rooms, leftOut)));
    const heard = held.map((holders) => holders.filter((holder) => exclude?.has(holder.id) !== true && isFor(audience, agentId, holder)));
    const ids = best(heard, MOST_FETCHED);
    if (ids.length === 0) return { memories: [] };
    const rows = new Map((await this.vectors.fetch(ids, '')).map((row) => [row.id, row]));
    const found = ids.flatMap((id) => rows.get(id) ?? []).filter((row) => isWanted(row, options) && isFor(audience, agentId, row));
    return { memories: found.map((row) => toRecalled(row, null)) };
  }

  private miss(): void {
    this.missed += 1;
    if (this.missed < MOST_MISSED) return;
    this.restingUntil = this.clock.now() + REST_MS;
    if (!this.failing) this.log.warn('embeddings are late; memories are searched by words, and by meaning again as soon as it works');
    this.failing = true;
  }

  /** Logged once for each row of failures: a service that is away would fill the log otherwise. */
  private failed(error: unknown, signal: AbortSignal): Ended | undefined {
    if (signal.aborted) return undefined;
    if (!this.failing) this.log.warn('memories could not be searched', { error: String(error) });
    this.failing = true;
    return { skipped: 'failed' };
  }
}

/** Undefined when the signal aborts before. */
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

/** What was found by meaning, and of what was found by words what could not be found by meaning. */
function merged(meaning: Ended, words: Ended, limit: number): Recalled[] {
  const byWords = 'memories' in words ? words.memories : [];
  if (!('memories' in meaning)) return byWords.slice(0, limit);
  const others = byWords.filter(({ memoryId }) => meaning.reaches?.(memoryId) !== true);
  const room = Math.max(limit - meaning.memories.length, Math.floor(limit / 2));
  const added = others.slice(0, room);
  return [...meaning.memories.slice(0, limit - added.length), ...added];
}

function outcomeOf({ ended, durationMs }: { ended: Ended; durationMs: number }, cold = false): SearchOutcome {
  if ('memories' in ended) return { found: ended.memories.length, durationMs };
  return { skipped: cold && ended.skipped === 'late' ? 'cold' : ended.skipped, durationMs };
}

function isWanted(row: FetchedRow, { exceptAuthor, roomId }: RecallOptions): boolean {
  return row.entity_id !== exceptAuthor && (roomId === undefined || row.room_id === roomId);
}

/** Asked for once, however many ways to search there are. */
async function audienceFor({ audiences, excludeIds: exclude, roomId }: RecallOptions): Promise<Audience> {
  const rooms = await audiences?.();
  if (roomId === undefined) return { exclude, rooms };
  return { exclude, rooms: new Set(audiencesWithin(roomId).filter((audience) => rooms?.has(audience) !== false)) };
}

function toRecalled(row: FetchedRow, nearness: number | null): Recalled {
  return {
    memoryId: row.id,
    roomId: row.room_id,
    authorId: row.entity_id,
    authorName: originOfJson(row.metadata).authorName,
    text: textOfJson(row.content),
    at: Number(row.created_at),
    similarity: nearness,
  };
}
