import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Outcome, type Statement } from '../../core/database/index.js';
import type { AppError } from '../../core/errors/index.js';
import { vouchesFor, type Users } from '../../core/http/index.js';
import { append } from '../../core/journal/index.js';
import { ModelRegistry } from '../../providers/models/index.js';
import type { MemoryRow } from './entities/index.js';
import { MemoryIndexer } from './memory-indexer.js';
import { memoryNotFound, unfitVector } from './memory.errors.js';
import { textOf } from './memory-json.js';
import { MemoryDeletion } from './memory-deletion.js';
import { MemoriesRepository, type MemoryScope } from './repositories/memories.repository.js';
import { MemoryPagesRepository, type MemoryFilter, type MemoryPaging, type ShownMemory } from './repositories/memory-pages.repository.js';
import { VectorsRepository } from './repositories/vectors.repository.js';
import { Shelves } from './shelves.js';

export interface UpdateMemory {
  readonly content?: Record<string, unknown>;
  readonly metadata?: Record<string, unknown>;
  readonly embedding?: readonly number[];
}

/** A page of memories, newest first. */
export interface MemoryList {
  readonly memories: readonly ShownMemory[];
  /** Whether there are more in the direction of reading. */
  readonly hasMore: boolean;
  /** True when newer ones are read, page by page. */
  readonly forward: boolean;
}

interface Vector {
  readonly model: string;
  readonly elements: Float32Array;
}

/** What ties a memory to its message: not for callers to change. */
const ORIGIN = ['messageId', 'channelId', 'authorId', 'authorName', 'authorKind'];

@Injectable()
export class MemoriesService {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly pages: MemoryPagesRepository,
    private readonly deletion: MemoryDeletion,
    private readonly vectors: VectorsRepository,
    private readonly shelves: Shelves,
    private readonly indexer: MemoryIndexer,
    private readonly models: ModelRegistry,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(filter: MemoryFilter, paging: MemoryPaging): Promise<MemoryList> {
    const found = await this.pages.page(filter, paging);
    const page = found.slice(0, paging.limit);
    const forward = paging.after !== undefined && paging.before === undefined;
    return { memories: forward ? page.reverse() : page, hasMore: found.length > paging.limit, forward };
  }

  /** @returns undefined when the agent has no such memory */
  find(agentId: string, memoryId: string): Promise<ShownMemory | undefined> {
    return this.pages.find(agentId, memoryId);
  }

  /** @throws AppError MEMORY_NOT_FOUND, also for another agent's memory */
  async require(agentId: string, memoryId: string): Promise<ShownMemory> {
    const memory = await this.find(agentId, memoryId);
    if (!memory) throw memoryNotFound(memoryId);
    return memory;
  }

  /** Forgets one memory; what a document was cut into goes with it. @throws AppError MEMORY_NOT_FOUND, also for another agent's memory */
  async delete(agentId: string, memoryId: string): Promise<void> {
    const missing = ({ changed }: Outcome): AppError | undefined => (changed === 0 ? memoryNotFound(memoryId) : undefined);
    await this.unitOfWork.commit([
      this.memories.deleteOf(agentId, memoryId, missing),
      this.memories.deleteFragments(agentId, memoryId),
      this.changed(agentId, memoryId),
    ]);
    this.shelves.remove(agentId, memoryId);
  }

  /** Forgets all memories of an agent, or those of a room. @returns how many there were */
  deleteAll(scope: MemoryScope): Promise<number> {
    return this.deletion.deleteAll(scope);
  }

  /**
   * Changes what an agent remembers; later answers see the new text. A text that changed is embedded again, unless
   * its vector is given with it.
   *
   * @param users whom the caller's credential vouches for; words that it changes in others' names are not vouched for any more
   * @throws AppError MEMORY_NOT_FOUND, also for another agent's memory; VALIDATION_ERROR for an unfit vector
   */
  async update(agentId: string, memoryId: string, change: UpdateMemory, users: Users): Promise<MemoryRow> {
    const vector = change.embedding && this.vectorOf(change.embedding);
    const { memory, rephrased } = await this.unitOfWork.run('update memory', async (tx) => {
      const stored = await this.memories.findIn(tx, memoryId);
      if (stored?.agentId !== agentId) throw memoryNotFound(memoryId);
      const changed = changedBy(stored, change);
      const differs = textOf(changed.content) !== textOf(stored.content);
      const vouched = stored.vouched && (!differs || vouchesFor(users, stored.entityId));
      const next = { ...changed, vouched, ...(vector || differs ? { embeddedBy: null } : {}) };
      if (Object.values(change).some((value) => value !== undefined)) await tx.apply(this.statements(next, differs, vector));
      return { memory: next, rephrased: differs };
    });
    if (rephrased || vector) this.shelves.remove(agentId, memoryId);
    const { roomId: room_id, type, vouched } = memory;
    if (vector) this.shelves.add(agentId, { id: memoryId, room_id, type, vouched }, vector.elements);
    else if (rephrased) this.indexer.activity();
    return memory;
  }

  private statements(memory: MemoryRow, rephrased: boolean, vector: Vector | undefined): Statement[] {
    const { id, agentId, content } = memory;
    const update = this.memories.update(memory);
    const changed = this.changed(agentId, id);
    if (vector) {
      const text = JSON.stringify(content);
      return [update, this.vectors.mark(id, text, vector.model), this.vectors.store(id, text, vector.model, vector.elements), changed];
    }
    return rephrased ? [update, this.vectors.delete(id), changed] : [update];
  }

  /** Tells every process that what it holds of a memory for recall is old. */
  private changed(agentId: string, memoryId: string): Statement {
    return append('memory.changed', null, { agentId, memoryId }, this.clock.now());
  }

  private vectorOf(embedding: readonly number[]): Vector {
    const model = this.models.embeddings();
    if (!model) throw unfitVector('no embedding model is configured', 'Leave it out, or set EMBEDDING_PROVIDER.');
    const { modelId, dimension = embedding.length } = model;
    if (embedding.length !== dimension) throw unfitVector(`${modelId} makes vectors of ${dimension} numbers, not ${embedding.length}`);
    const length = Math.hypot(...embedding);
    if (!(length > 0 && Number.isFinite(length))) throw unfitVector('its length is 0 or too large');
    return { model: modelId, elements: Float32Array.from(embedding, (element) => element / length) };
  }
}

function changedBy(stored: MemoryRow, { content, metadata }: UpdateMemory): MemoryRow {
  if (!metadata) return { ...stored, content: content ?? stored.content };
  const origin = Object.fromEntries(Object.entries(stored.metadata).filter(([key]) => ORIGIN.includes(key)));
  return { ...stored, content: content ?? stored.content, metadata: { type: stored.metadata['type'], ...metadata, ...origin } };
}
