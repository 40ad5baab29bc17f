import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Outcome, type Statement } from '../../core/database/index.js';
import type { AppError } from '../../core/errors/index.js';
import { vouchesFor, type Users } from '../../core/http/index.js';
import { append } from '../../core/journal/index.js';
import { ModelRegistry } from '../../providers/models/index.js';
import type { MemoryRow } from './entities/index.js';
import { MemoryIndexer } from './memory-indexer.js';
import { memoryNotFound, invalidEmbedding } from './memory.errors.js';
import { textOf } from './memory-json.js';
import { MemoryDeletion } from './memory-deletion.js';
import { MemoriesRepository, type MemoryScope } from './repositories/memories.repository.js';
import { MemoryPagesRepository, type MemoryFilter, type MemoryPaging, type MemoryRecord } from './repositories/memory-pages.repository.js';
import { VectorsRepository } from './repositories/vectors.repository.js';
import { VectorIndexes } from './vector-indexes.js';

export interface UpdateMemory {
  readonly content?: Record<string, unknown>;
  readonly metadata?: Record<string, unknown>;
  readonly embedding?: readonly number[];
}

/** A page of memories, newest first. */
export interface MemoryList {
  readonly memories: readonly MemoryRecord[];
  /** Whether more memories follow in the reading direction. */
  readonly hasMore: boolean;
  /** True when paging towards newer memories. */
  readonly forward: boolean;
}

interface Vector {
  readonly model: string;
  readonly elements: Float32Array;
}

/** Metadata keys that refer to the recorded message; callers cannot change them. */
const ORIGIN_KEYS = ['messageId', 'channelId', 'authorId', 'authorName', 'authorKind'];

@Injectable()
export class MemoriesService {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly pages: MemoryPagesRepository,
    private readonly deletion: MemoryDeletion,
    private readonly vectors: VectorsRepository,
    private readonly indexes: VectorIndexes,
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

  /** @returns undefined when the agent has no memory with this id */
  find(agentId: string, memoryId: string): Promise<MemoryRecord | undefined> {
    return this.pages.find(agentId, memoryId);
  }

  /** @throws AppError MEMORY_NOT_FOUND, also for another agent's memory */
  async require(agentId: string, memoryId: string): Promise<MemoryRecord> {
    const memory = await this.find(agentId, memoryId);
    if (!memory) throw memoryNotFound(memoryId);
    return memory;
  }

  /** Deletes a memory, and the fragments of a document. @throws AppError MEMORY_NOT_FOUND, also for another agent's memory */
  async delete(agentId: string, memoryId: string): Promise<void> {
    const missing = ({ changed }: Outcome): AppError | undefined => (changed === 0 ? memoryNotFound(memoryId) : undefined);
    await this.unitOfWork.commit([
      this.memories.deleteOwn(agentId, memoryId, missing),
      this.memories.deleteFragments(agentId, memoryId),
      this.changeEvent(agentId, memoryId),
    ]);
    this.indexes.remove(agentId, memoryId);
  }

  /** Deletes all memories of an agent, or those of a room. @returns the number of deleted memories */
  deleteAll(scope: MemoryScope): Promise<number> {
    return this.deletion.deleteAll(scope);
  }

  /**
   * Changes a memory. A changed text is embedded again, unless the change includes its vector.
   *
   * @param users users for whom the caller's credential vouches; a changed memory of any other author is no longer vouched
   * @throws AppError MEMORY_NOT_FOUND, also for another agent's memory; VALIDATION_ERROR for an invalid vector
   */
  async update(agentId: string, memoryId: string, change: UpdateMemory, users: Users): Promise<MemoryRow> {
    const vector = change.embedding && this.vectorOf(change.embedding);
    const { memory, textChanged } = await this.unitOfWork.run('update memory', async (tx) => {
      const stored = await this.memories.findIn(tx, memoryId);
      if (stored?.agentId !== agentId) throw memoryNotFound(memoryId);
      const changed = applyUpdate(stored, change);
      const textChanged = textOf(changed.content) !== textOf(stored.content);
      const vouched = stored.vouched && (!textChanged || vouchesFor(users, stored.entityId));
      const next = { ...changed, vouched, ...(vector || textChanged ? { embeddedBy: null } : {}) };
      if (Object.values(change).some((value) => value !== undefined)) await tx.apply(this.statements(next, textChanged, vector));
      return { memory: next, textChanged };
    });
    if (textChanged || vector) this.indexes.remove(agentId, memoryId);
    const { roomId: room_id, type, vouched } = memory;
    if (vector) this.indexes.add(agentId, { id: memoryId, room_id, type, vouched }, vector.elements);
    else if (textChanged) this.indexer.notifyActivity();
    return memory;
  }

  private statements(memory: MemoryRow, textChanged: boolean, vector: Vector | undefined): Statement[] {
    const { id, agentId, content } = memory;
    const update = this.memories.update(memory);
    const changed = this.changeEvent(agentId, id);
    if (vector) {
      const text = JSON.stringify(content);
      return [
        update,
        this.vectors.markEmbedded(id, text, vector.model),
        this.vectors.storeVector(id, text, vector.model, vector.elements),
        changed,
      ];
    }
    return textChanged ? [update, this.vectors.delete(id), changed] : [update];
  }

  /** Makes every process invalidate its cached vector of the memory. */
  private changeEvent(agentId: string, memoryId: string): Statement {
    return append('memory.changed', null, { agentId, memoryId }, this.clock.now());
  }

  private vectorOf(embedding: readonly number[]): Vector {
    const model = this.models.embeddings();
    if (!model) throw invalidEmbedding('no embedding model is configured', 'Omit it, or set EMBEDDING_PROVIDER.');
    const { modelId, dimension = embedding.length } = model;
    if (embedding.length !== dimension) throw invalidEmbedding(`vectors of ${modelId} have ${dimension} elements, not ${embedding.length}`);
    const length = Math.hypot(...embedding);
    if (!(length > 0 && Number.isFinite(length))) throw invalidEmbedding('its length is 0 or too large');
    return { model: modelId, elements: Float32Array.from(embedding, (element) => element / length) };
  }
}

function applyUpdate(stored: MemoryRow, { content, metadata }: UpdateMemory): MemoryRow {
  if (!metadata) return { ...stored, content: content ?? stored.content };
  const origin = Object.fromEntries(Object.entries(stored.metadata).filter(([key]) => ORIGIN_KEYS.includes(key)));
  return { ...stored, content: content ?? stored.content, metadata: { type: stored.metadata['type'], ...metadata, ...origin } };
}
