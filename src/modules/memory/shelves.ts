import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { STORE, type Store } from '../../core/database/index.js';
import { Log } from '../../core/logging/index.js';
import { audienceOf, type Placed } from './audience.js';
import { MOST_FETCHED, VectorsRepository, type PageStart, type VectorRow } from './repositories/vectors.repository.js';
import { Shelf, sketchOf } from './shelf.js';
import { fromVectorText } from './vector-text.js';

const PAGE = 250;
// Full pages, so that loading stops exactly there and evicts nothing.
const MOST_OF_AN_AGENT = 400 * PAGE;
const MOST_IN_ALL = 2 * MOST_OF_AN_AGENT;
const NEWEST: PageStart = { createdAt: Number.MAX_SAFE_INTEGER, id: '' };
const REFRESH_MS = 60_000;
const REFRESHED = 512;

interface Held {
  readonly model: string;
  readonly shelf: Shelf;
  readonly loaded: Promise<Shelf>;
  /** What changed while the shelf was being loaded; undefined once it is. */
  late: ((shelf: Shelf) => void)[] | undefined;
  /** Memories whose vectors changed; on PostgreSQL one without a vector stays here until some process has given it one. */
  readonly outdated: Set<string>;
  refreshedAt: number;
}

/**
 * A shelf for each agent that was asked lately, loaded from the database on first use. Holds the newest 100,000
 * vectors of an agent and 200,000 of all agents, some 200 bytes each; the agents not asked for longest are dropped.
 * On PostgreSQL vectors that another process makes appear within a minute, unless it makes more than 512 in that time.
 */
@Injectable()
export class Shelves {
  private readonly held = new Map<string, Held>();
  private readonly shared: boolean;
  private readonly log = new Log('memory');

  constructor(
    private readonly vectors: VectorsRepository,
    private readonly clock: Clock,
    @Inject(STORE) store: Store,
  ) {
    this.shared = store.reading.options.type === 'postgres';
  }

  /** The agent's vectors of a model. Rejects when they cannot be read; asking again tries again. */
  of(agentId: string, model: string): Promise<Shelf> {
    let held = this.held.get(agentId);
    if (held?.model !== model) held = this.load(agentId, model);
    this.held.delete(agentId);
    this.held.set(agentId, held);
    if (this.shared && !held.late && this.clock.now() - held.refreshedAt >= REFRESH_MS) void this.refresh(agentId, held);
    return held.loaded;
  }

  /** Takes in a vector that was stored. */
  add(agentId: string, memory: Placed & { readonly id: string }, vector: Float32Array): void {
    const audience = audienceOf(agentId, memory);
    this.change(agentId, (shelf) => shelf.add(memory.id, audience, sketchOf(vector)));
  }

  /** Takes in what the database has now of a memory that some process changed or deleted. */
  changed(agentId: string, memoryId: string): void {
    const held = this.held.get(agentId);
    if (!held) return;
    held.outdated.add(memoryId);
    if (held.late) held.late.push(() => void this.lookUp(agentId, held));
    else void this.lookUp(agentId, held);
  }

  /** Forgets the vector of a memory whose text changed or that is gone. */
  remove(agentId: string, memoryId: string): void {
    this.change(agentId, (shelf) => shelf.remove(memoryId));
  }

  /** Forgets all that is held of an agent; it is read again when somebody asks. */
  drop(agentId: string): void {
    this.held.delete(agentId);
  }

  private change(agentId: string, change: (shelf: Shelf) => void): void {
    const held = this.held.get(agentId);
    if (held?.late) held.late.push(change);
    else if (held) change(held.shelf);
  }

  private load(agentId: string, model: string): Held {
    const shelf = new Shelf(MOST_OF_AN_AGENT);
    const loaded = this.fill(agentId, model, shelf);
    const held: Held = { model, shelf, late: [], outdated: new Set(), refreshedAt: this.clock.now(), loaded };
    held.loaded.then(
      () => {
        held.late?.forEach((change) => change(shelf));
        held.late = undefined;
        this.dropOldest();
      },
      () => {
        if (this.held.get(agentId) === held) this.held.delete(agentId);
      },
    );
    return held;
  }

  private async fill(agentId: string, model: string, shelf: Shelf): Promise<Shelf> {
    for (let start: PageStart | undefined = NEWEST; start && shelf.size < MOST_OF_AN_AGENT;) {
      const rows: VectorRow[] = await this.vectors.page(agentId, model, start, PAGE);
      for (const row of rows) shelf.add(row.id, audienceOf(agentId, row), sketchOf(fromVectorText(row.vector)));
      const last = rows.at(-1);
      start = last && rows.length === PAGE ? { createdAt: last.created_at, id: last.id } : undefined;
    }
    shelf.addedNewestFirst();
    return shelf;
  }

  private async refresh(agentId: string, held: Held): Promise<void> {
    held.refreshedAt = this.clock.now();
    await this.lookUp(agentId, held);
    try {
      for (const row of await this.vectors.page(agentId, held.model, NEWEST, REFRESHED)) {
        if (!held.shelf.has(row.id)) held.shelf.add(row.id, audienceOf(agentId, row), sketchOf(fromVectorText(row.vector)));
      }
    } catch (error) {
      this.log.warn('vectors of other processes could not be read', { agentId, error: String(error) });
    }
  }

  private async lookUp(agentId: string, { model, shelf, outdated }: Held): Promise<void> {
    const ids = [...outdated];
    if (ids.length === 0) return;
    if (ids.length > MOST_FETCHED) {
      this.drop(agentId);
      return;
    }
    try {
      const rows = new Map((await this.vectors.fetch(ids, model)).map((row) => [row.id, row]));
      for (const id of ids) {
        const row = rows.get(id);
        if (row?.vector) shelf.add(id, audienceOf(agentId, row), sketchOf(fromVectorText(row.vector)));
        else shelf.remove(id);
        if (!row || row.vector || !this.shared) outdated.delete(id);
      }
    } catch (error) {
      this.log.warn('vectors of changed memories could not be read', { agentId, error: String(error) });
    }
  }

  private dropOldest(): void {
    let total = 0;
    for (const { shelf } of this.held.values()) total += shelf.size;
    for (const [agentId, { shelf, late }] of this.held) {
      if (total <= MOST_IN_ALL) return;
      if (late || this.held.size === 1) continue;
      this.held.delete(agentId);
      total -= shelf.size;
    }
  }
}
