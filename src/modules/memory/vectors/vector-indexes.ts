import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { STORE, type Store } from '../../../core/database/index.js';
import { Log } from '../../../core/logging/index.js';
import { KeptVectors } from './kept-vectors.js';
import { signatureOf, VectorIndex, type PieceKey } from './vector-index.js';
import { fromSignatureText, fromVectorText } from './vector-text.js';
import { VectorsRepository, type PageStart, type SignatureRow } from './vectors.repository.js';

const PAGE_SIZE = 1000;
// A multiple of the page size, so that loading stops at the limit and evicts nothing.
const MAX_PER_AGENT = 200 * PAGE_SIZE;
const MAX_TOTAL = 2 * MAX_PER_AGENT;
const NEWEST: PageStart = { createdAt: Number.MAX_SAFE_INTEGER, memoryId: '', piece: 0 };
const REFRESH_MS = 60_000;
const MAX_REFRESHED = 1000;
const MAX_RELOADED = 1000;

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
 * LRU cache of vector indexes, one per agent, loaded from the database on first use. Holds the newest 200,000 vectors of an agent and
 * 400,000 in total, about 200 bytes each, and the vectors that were compared last. On PostgreSQL, vectors stored by another process appear within a minute, unless it stores
 * more than 1000 in that time.
 */
@Injectable()
export class VectorIndexes {
  private readonly cache = new Map<string, CacheEntry>();
  private readonly kept = new KeptVectors();
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
    if (entry?.model !== model) {
      if (entry) this.kept.dropAll();
      entry = this.load(agentId, model);
    }
    this.cache.delete(agentId);
    this.cache.set(agentId, entry);
    if (this.isShared && !entry.deferred && this.clock.now() - entry.refreshedAt >= REFRESH_MS) void this.refresh(agentId, entry);
    return entry.loaded;
  }

  /** The vectors that exist among these pieces of memories of an index, in the same order. */
  async vectorsOf(pieces: readonly PieceKey[], model: string): Promise<(PieceKey & { readonly vector: Float32Array })[]> {
    const kept = pieces.map((key) => this.kept.get(key));
    const read = await this.read(
      pieces.filter((_, index) => !kept[index]),
      model,
    );
    return pieces.flatMap((key, index) => {
      const vector = kept[index] ?? read.get(`${key.memoryId} ${key.piece}`);
      return vector ? [{ ...key, vector }] : [];
    });
  }

  /** Ids of the agents whose indexes are cached. */
  cachedAgents(): string[] {
    return [...this.cache.keys()];
  }

  /** Adds the vectors of the pieces of a memory, which were stored. */
  add(agentId: string, memoryId: string, audience: string, vectors: ReadonlyMap<number, Float32Array>): void {
    this.kept.drop(memoryId);
    if (this.cache.has(agentId)) for (const [piece, vector] of vectors) this.kept.keep({ memoryId, piece }, vector);
    this.apply(agentId, (index) => {
      for (const [piece, vector] of vectors) index.add({ memoryId, piece }, audience, signatureOf(vector));
    });
  }

  /** Reads a memory's vectors again, after any process changed or deleted the memory. */
  reload(agentId: string, memoryId: string): void {
    this.kept.drop(memoryId);
    const entry = this.cache.get(agentId);
    if (!entry) return;
    entry.outdated.add(memoryId);
    if (entry.deferred) entry.deferred.push(() => void this.reloadOutdated(agentId, entry));
    else void this.reloadOutdated(agentId, entry);
  }

  /** Removes the vectors of a memory whose text changed or that was deleted. */
  remove(agentId: string, memoryId: string): void {
    this.kept.drop(memoryId);
    this.apply(agentId, (index) => index.remove(memoryId));
  }

  /** Removes the vectors of the memories with these audiences, which were deleted. */
  removeAudiences(agentId: string, audiences: readonly string[]): void {
    this.kept.dropAll();
    this.apply(agentId, (index) => index.removeAudiences(audiences));
  }

  /** Drops an agent's index; the next `get` loads it again. */
  evict(agentId: string): void {
    this.kept.dropAll();
    this.cache.delete(agentId);
  }

  /** Vectors by memory and piece. */
  private async read(pieces: readonly PieceKey[], model: string): Promise<Map<string, Float32Array>> {
    const found = new Map<string, Float32Array>();
    if (pieces.length === 0) return found;
    const { version } = this.kept;
    for (const { memory_id: memoryId, piece, vector: text } of await this.vectors.fetch(pieces, model)) {
      const vector = fromVectorText(text);
      found.set(`${memoryId} ${piece}`, vector);
      if (version === this.kept.version) this.kept.keep({ memoryId, piece }, vector);
    }
    return found;
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
      const rows: SignatureRow[] = await this.vectors.page(agentId, model, start, PAGE_SIZE);
      addRows(index, rows);
      const last = rows.at(-1);
      start =
        last && rows.length === PAGE_SIZE ? { createdAt: Number(last.created_at), memoryId: last.memory_id, piece: last.piece } : undefined;
    }
    index.markLoadedNewestFirst();
    return index;
  }

  private async refresh(agentId: string, entry: CacheEntry): Promise<void> {
    entry.refreshedAt = this.clock.now();
    await this.reloadOutdated(agentId, entry);
    try {
      const rows = await this.vectors.page(agentId, entry.model, NEWEST, MAX_REFRESHED);
      const known = new Set(rows.map((row) => row.memory_id).filter((id) => entry.index.has(id)));
      addRows(
        entry.index,
        rows.filter((row) => !known.has(row.memory_id)),
      );
    } catch (error) {
      this.log.warn('vectors stored by other processes could not be read', { agentId, error: String(error) });
    }
  }

  private async reloadOutdated(agentId: string, { model, index, outdated }: CacheEntry): Promise<void> {
    const ids = [...outdated];
    if (ids.length === 0) return;
    if (ids.length > MAX_RELOADED) {
      this.evict(agentId);
      return;
    }
    try {
      const rows = await this.vectors.signaturesOf(ids, model);
      const found = new Set(rows.map((row) => row.memory_id));
      for (const id of ids) {
        index.remove(id);
        if (found.has(id) || !this.isShared) outdated.delete(id);
      }
      addRows(index, rows);
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

function addRows(index: VectorIndex, rows: readonly SignatureRow[]): void {
  for (const { memory_id: memoryId, piece, audience, signature } of rows) {
    index.add({ memoryId, piece }, audience, fromSignatureText(signature));
  }
}
