import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { STORE, type Store } from '../../core/database/index.js';
import { Log } from '../../core/logging/index.js';
import { audienceOf, type AudienceFields } from './audience.js';
import { MAX_FETCHED, VectorsRepository, type PageStart, type VectorRow } from './repositories/vectors.repository.js';
import { VectorIndex, signatureOf } from './vector-index.js';
import { fromVectorText } from './vector-text.js';

const PAGE_SIZE = 250;
// A multiple of the page size, so that loading stops at the limit and evicts nothing.
const MAX_PER_AGENT = 400 * PAGE_SIZE;
const MAX_TOTAL = 2 * MAX_PER_AGENT;
const NEWEST: PageStart = { createdAt: Number.MAX_SAFE_INTEGER, id: '' };
const REFRESH_MS = 60_000;
const MAX_REFRESHED = 512;

interface CacheEntry {
  readonly model: string;
  readonly index: VectorIndex;
  readonly loaded: Promise<VectorIndex>;
  /** Changes to apply once the index is loaded; undefined afterwards. */
  deferred: ((index: VectorIndex) => void)[] | undefined;
  /** Memories whose vectors changed. On PostgreSQL a memory stays here until some process has embedded it. */
  readonly outdated: Set<string>;
  refreshedAt: number;
}

/**
 * LRU cache of vector indexes, one per agent, loaded from the database on first use. Holds the newest 100,000 vectors of an agent and
 * 200,000 in total, about 200 bytes each. On PostgreSQL, vectors stored by another process appear within a minute, unless it stores
 * more than 512 in that time.
 */
@Injectable()
export class VectorIndexes {
  private readonly cache = new Map<string, CacheEntry>();
  private readonly isShared: boolean;
  private readonly log = new Log('memory');

  constructor(
    private readonly vectors: VectorsRepository,
    private readonly clock: Clock,
    @Inject(STORE) store: Store,
  ) {
    this.isShared = store.readSource.options.type === 'postgres';
  }

  /** The agent's vectors for a model. Rejects when they cannot be read; the next call tries again. */
  get(agentId: string, model: string): Promise<VectorIndex> {
    let entry = this.cache.get(agentId);
    if (entry?.model !== model) entry = this.load(agentId, model);
    this.cache.delete(agentId);
    this.cache.set(agentId, entry);
    if (this.isShared && !entry.deferred && this.clock.now() - entry.refreshedAt >= REFRESH_MS) void this.refresh(agentId, entry);
    return entry.loaded;
  }

  /** Ids of the agents whose indexes are cached. */
  cachedAgents(): string[] {
    return [...this.cache.keys()];
  }

  /** Adds a vector that was stored. */
  add(agentId: string, memory: AudienceFields & { readonly id: string }, vector: Float32Array): void {
    const audience = audienceOf(agentId, memory);
    this.apply(agentId, (index) => index.add(memory.id, audience, signatureOf(vector)));
  }

  /** Reads a memory's vector again, after any process changed or deleted the memory. */
  reload(agentId: string, memoryId: string): void {
    const entry = this.cache.get(agentId);
    if (!entry) return;
    entry.outdated.add(memoryId);
    if (entry.deferred) entry.deferred.push(() => void this.reloadOutdated(agentId, entry));
    else void this.reloadOutdated(agentId, entry);
  }

  /** Removes the vector of a memory whose text changed or that was deleted. */
  remove(agentId: string, memoryId: string): void {
    this.apply(agentId, (index) => index.remove(memoryId));
  }

  /** Drops an agent's index; the next `get` loads it again. */
  evict(agentId: string): void {
    this.cache.delete(agentId);
  }

  private apply(agentId: string, change: (index: VectorIndex) => void): void {
    const entry = this.cache.get(agentId);
    if (entry?.deferred) entry.deferred.push(change);
    else if (entry) change(entry.index);
  }

  private load(agentId: string, model: string): CacheEntry {
    const index = new VectorIndex(MAX_PER_AGENT);
    const loaded = this.fill(agentId, model, index);
    const entry: CacheEntry = { model, index, deferred: [], outdated: new Set(), refreshedAt: this.clock.now(), loaded };
    entry.loaded.then(
      () => {
        entry.deferred?.forEach((change) => change(index));
        entry.deferred = undefined;
        this.evictLeastRecent();
      },
      () => {
        if (this.cache.get(agentId) === entry) this.cache.delete(agentId);
      },
    );
    return entry;
  }

  private async fill(agentId: string, model: string, index: VectorIndex): Promise<VectorIndex> {
    for (let start: PageStart | undefined = NEWEST; start && index.size < MAX_PER_AGENT;) {
      const rows: VectorRow[] = await this.vectors.page(agentId, model, start, PAGE_SIZE);
      for (const row of rows) index.add(row.id, audienceOf(agentId, row), signatureOf(fromVectorText(row.vector)));
      const last = rows.at(-1);
      start = last && rows.length === PAGE_SIZE ? { createdAt: last.created_at, id: last.id } : undefined;
    }
    index.markLoadedNewestFirst();
    return index;
  }

  private async refresh(agentId: string, entry: CacheEntry): Promise<void> {
    entry.refreshedAt = this.clock.now();
    await this.reloadOutdated(agentId, entry);
    try {
      for (const row of await this.vectors.page(agentId, entry.model, NEWEST, MAX_REFRESHED)) {
        if (!entry.index.has(row.id)) entry.index.add(row.id, audienceOf(agentId, row), signatureOf(fromVectorText(row.vector)));
      }
    } catch (error) {
      this.log.warn('vectors stored by other processes could not be read', { agentId, error: String(error) });
    }
  }

  private async reloadOutdated(agentId: string, { model, index, outdated }: CacheEntry): Promise<void> {
    const ids = [...outdated];
    if (ids.length === 0) return;
    if (ids.length > MAX_FETCHED) {
      this.evict(agentId);
      return;
    }
    try {
      const rows = new Map((await this.vectors.fetch(ids, model)).map((row) => [row.id, row]));
      for (const id of ids) {
        const row = rows.get(id);
        if (row?.vector) index.add(id, audienceOf(agentId, row), signatureOf(fromVectorText(row.vector)));
        else index.remove(id);
        if (!row || row.vector || !this.isShared) outdated.delete(id);
      }
    } catch (error) {
      this.log.warn('vectors of changed memories could not be read', { agentId, error: String(error) });
    }
  }

  private evictLeastRecent(): void {
    let total = 0;
    for (const { index } of this.cache.values()) total += index.size;
    for (const [agentId, { index, deferred }] of this.cache) {
      if (total <= MAX_TOTAL) return;
      if (deferred || this.cache.size === 1) continue;
      this.cache.delete(agentId);
      total -= index.size;
    }
  }
}
