import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Log } from '../../core/logging/index.js';
import { ModelRegistry, similarity } from '../../providers/models/index.js';
import type { Audience } from './audience.js';
import { originOfJson, textOfJson } from './memory-json.js';
import { RecentWords } from './recent-words.js';
import { RoomsRepository } from './repositories/rooms.repository.js';
import { MOST_FETCHED, VectorsRepository, type FetchedRow } from './repositories/vectors.repository.js';
import { sketchOf } from './shelf.js';
import { Shelves } from './shelves.js';
import { fromVectorText } from './vector-text.js';

export interface RecallOptions {
  /** Most memories to find, up to 128. */
  readonly limit: number;
  /** The answer is there within this time, ms; with what was found by then, as a rule nothing. */
  readonly budgetMs: number;
  /** Whose question it is: only what was said in rooms that this entity takes part in, and the agent's own knowledge. Absent: every room. */
  readonly askedBy?: string;
  /** Memories to leave out: the conversation that the model sees anyway. */
  readonly excludeIds?: ReadonlySet<string>;
  /** Least similarity, -1 to 1; 0.3 when absent. */
  readonly minSimilarity?: number;
  /** Lets the search start an encoder that is not running; without it a cold encoder is left alone. */
  readonly load?: boolean;
}

/** A memory that has to do with a question. */
export interface Recalled {
  readonly memoryId: string;
  readonly roomId: string;
  readonly authorId: string;
  readonly authorName: string | null;
  readonly text: string;
  /** When it was said, epoch ms. */
  readonly at: number;
  /** Nearness of meaning, -1 to 1; null when it was found by its words. */
  readonly similarity: number | null;
}

const LONGEST_QUERY = 1000;
const LEAST_SIMILARITY = 0.3;
// Whoever comes while this many questions are being embedded is served faster by words.
const MOST_AT_ONCE = 4;

/** Finds what an agent remembers about something, in all its rooms. */
@Injectable()
export class Recall {
  private embedding = 0;
  private failing = false;
  private readonly log = new Log('memory');

  constructor(
    private readonly shelves: Shelves,
    private readonly words: RecentWords,
    private readonly vectors: VectorsRepository,
    private readonly rooms: RoomsRepository,
    private readonly models: ModelRegistry,
    private readonly clock: Clock,
  ) {}

  /**
   * Memories of the agent that have to do with `query`, the nearest first. By meaning when the encoder runs and the
   * agent has vectors (of its newest 100,000 memories), otherwise by words (among its newest 500 memories).
   * Never throws and never takes longer than the budget; what fails is logged.
   */
  relevant(agentId: string, query: string, options: RecallOptions): Promise<Recalled[]> {
    const asked = query.trim().slice(0, LONGEST_QUERY);
    if (asked === '' || options.limit < 1 || options.budgetMs <= 0) return Promise.resolve([]);
    return new Promise((resolve) => {
      const limit = new AbortController();
      const cancel = this.clock.after(options.budgetMs, () => {
        limit.abort();
        resolve([]);
      });
      const found = this.search(agentId, asked, options, limit.signal).catch((error: unknown) => this.report(error, limit.signal));
      void found.then((memories) => {
        cancel();
        resolve(memories ?? []);
      });
    });
  }

  private async search(agentId: string, query: string, options: RecallOptions, signal: AbortSignal): Promise<Recalled[]> {
    const byMeaning = await this.byMeaning(agentId, query, options, signal).catch((error: unknown) => this.report(error, signal));
    if (byMeaning || signal.aborted) return byMeaning ?? [];
    const audience = await this.audience(agentId, options);
    const ids = await this.words.find(agentId, query, Math.min(options.limit, MOST_FETCHED), audience);
    if (ids.length === 0 || signal.aborted) return [];
    const rows = new Map((await this.vectors.fetch(ids, '')).map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row ? [toRecalled(row, null)] : [];
    });
  }

  /** Undefined when it can't be done now. */
  private async byMeaning(agentId: string, query: string, options: RecallOptions, signal: AbortSignal): Promise<Recalled[] | undefined> {
    const { limit, load, minSimilarity = LEAST_SIMILARITY } = options;
    const model = this.models.embeddings();
    if (!model || (!model.warm && load !== true) || this.embedding >= MOST_AT_ONCE) return undefined;
    const shelf = await this.shelves.of(agentId, model.modelId);
    if (shelf.size === 0 || signal.aborted) return undefined;
    const audience = await this.audience(agentId, options);
    if (!shelf.offers(audience)) return [];
    const [vector] = await this.embedded(() => model.embed([query], { signal }));
    if (!vector || signal.aborted) return undefined;
    const rows = await this.vectors.fetch(shelf.nearest(sketchOf(vector), MOST_FETCHED, audience), model.modelId);
    this.failing = false;
    return rows
      .map((row) => toRecalled(row, row.vector === null ? -1 : similarity(vector, fromVectorText(row.vector))))
      .filter((found) => found.similarity !== null && found.similarity >= minSimilarity)
      .sort((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0))
      .slice(0, limit);
  }

  private async audience(agentId: string, { askedBy, excludeIds: exclude }: RecallOptions): Promise<Audience> {
    return { exclude, rooms: askedBy === undefined ? undefined : new Set(await this.rooms.roomsOf(askedBy, agentId)) };
  }

  private async embedded<T>(work: () => Promise<T>): Promise<T> {
    this.embedding += 1;
    try {
      return await work();
    } finally {
      this.embedding -= 1;
    }
  }

  /** Once for each row of failures: a service that is away would fill the log otherwise. */
  private report(error: unknown, signal: AbortSignal): undefined {
    if (signal.aborted || this.failing) return;
    this.failing = true;
    this.log.warn('memories could not be searched', { error: String(error) });
  }
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
