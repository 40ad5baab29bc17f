import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Outcome, type Statement, type Transaction } from '../../core/database/index.js';
import type { AppError } from '../../core/errors/index.js';
import { usersOf, vouchesFor, type Editor, type ListPosition, type Pages } from '../../core/http/index.js';
import { append } from '../../core/journal/index.js';
import { ModelRegistry } from '../../providers/models/index.js';
import type { MemoryRow } from './entities/index.js';
import { MemoryIndexer } from './vectors/memory-indexer.js';
import { memoryNotFound, memoryVersionNotFound, invalidEmbedding } from './memory.errors.js';
import { textOf } from './memory-json.js';
import { MemoryDeletion } from './memory-deletion.js';
import { FactsRepository } from './repositories/facts.repository.js';
import { MemoriesRepository, type MemoryScope } from './repositories/memories.repository.js';
import {
  isForward,
  MemoryPagesRepository,
  type MemoryFilter,
  type MemoryPaging,
  type MemoryRecord,
} from './repositories/memory-pages.repository.js';
import { MemoryVersionsRepository, type MemoryVersion } from './repositories/memory-versions.repository.js';
import { SummariesRepository } from './repositories/summaries.repository.js';
import { VectorsRepository } from './vectors/vectors.repository.js';
import { audienceOf, type AudienceFields } from './recall/audience.js';
import { VectorIndexes } from './vectors/vector-indexes.js';

export interface UpdateMemory {
  readonly content?: Record<string, unknown>;
  readonly metadata?: Record<string, unknown>;
  readonly embedding?: readonly number[];
}

/** A page of memories, newest first. */
export interface MemoryList {
  readonly parts: () => Pages<MemoryRecord>;
  /** Whether more memories follow in the reading direction. */
  readonly hasMore: boolean;
  /** Position of the last memory in the reading direction. */
  readonly boundary?: Required<ListPosition>;
}

/** A page of the former versions of a memory, newest first. */
export interface MemoryHistory {
  /** The number of the present version. */
  readonly version: number;
  readonly versions: readonly MemoryVersion[];
  readonly hasMore: boolean;
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
    private readonly versions: MemoryVersionsRepository,
    private readonly summaries: SummariesRepository,
    private readonly facts: FactsRepository,
    private readonly vectors: VectorsRepository,
    private readonly indexes: VectorIndexes,
    private readonly indexer: MemoryIndexer,
    private readonly models: ModelRegistry,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(filter: MemoryFilter, paging: MemoryPaging): Promise<MemoryList> {
    const forward = isForward(paging);
    if (paging.numbered && !forward) {
      const boundary = await this.pages.boundary(filter, paging);
      return { parts: () => this.pages.parts(filter, paging), hasMore: boundary !== undefined, boundary };
    }
    const { rows, more } = await this.pages.page(filter, paging);
    const last = rows.at(-1);
    if (forward) rows.reverse();
    return { parts: () => [rows], hasMore: more, ...(last ? { boundary: { at: last.createdAt, id: last.id } } : {}) };
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

  /** Deletes a memory, and the fragments of a document. @param actorId as for `auditEntry` @throws AppError MEMORY_NOT_FOUND, also for another agent's memory */
  async delete(agentId: string, memoryId: string, actorId?: string): Promise<void> {
    const missing = ({ changed }: Outcome): AppError | undefined => (changed === 0 ? memoryNotFound(memoryId) : undefined);
    await this.unitOfWork.commit([
      this.summaries.renew([memoryId], this.clock.now()),
      this.memories.deleteFragments(agentId, memoryId),
      this.memories.deleteOwn(agentId, memoryId, missing),
      this.changeEvent(agentId, memoryId),
      auditEntry('memory.deleted', { target: ['memory', memoryId], agentId, summary: 'Deleted a memory.' }, this.clock.now(), actorId),
    ]);
    this.indexes.remove(agentId, memoryId);
  }

  /** Deletes all memories of an agent, or those of a room. @returns the number of deleted memories */
  deleteAll(scope: MemoryScope): Promise<number> {
    return this.deletion.deleteAll(scope);
  }

  /**
   * The former versions of a memory; the newest 100 are kept.
   *
   * @param before the number above the first version to return
   * @throws AppError MEMORY_NOT_FOUND, also for another agent's memory
   */
  async history(agentId: string, memoryId: string, { before, limit }: { before?: number; limit: number }): Promise<MemoryHistory> {
    await this.require(agentId, memoryId);
    const version = await this.versions.current(memoryId);
    const { rows, more } = await this.versions.page(memoryId, before ?? version, limit);
    return { version, versions: rows, hasMore: more };
  }

  /**
   * Changes a memory and keeps its former version. A changed text is embedded again, unless the change includes its vector, and the facts
   * that rest on the former text are forgotten.
   *
   * @param caller a changed memory of an author for whom its credential does not vouch is no longer vouched
   * @throws AppError MEMORY_NOT_FOUND, also for another agent's memory; VALIDATION_ERROR for an invalid vector
   */
  update(agentId: string, memoryId: string, change: UpdateMemory, caller: Editor): Promise<MemoryRow> {
    const vector = change.embedding && this.vectorOf(change.embedding);
    const next = (stored: MemoryRow): MemoryRow => {
      const changed = applyUpdate(stored, change);
      return { ...changed, vouched: stored.vouched && (!textDiffers(changed, stored) || vouchesFor(usersOf(caller), stored.entityId)) };
    };
    return this.change('memory.updated', agentId, memoryId, caller, (_tx, stored) => Promise.resolve(next(stored)), vector);
  }

  /**
   * Restores a former version of a memory, as a new version. The reference to the recorded message stays as it is.
   *
   * @param version the former version; by default the one before the present one
   * @param caller only one that vouches for the author restores a version as vouched
   * @throws AppError MEMORY_NOT_FOUND, also for another agent's memory; MEMORY_VERSION_NOT_FOUND
   */
  undo(agentId: string, memoryId: string, version: number | undefined, caller: Editor): Promise<MemoryRow> {
    return this.change('memory.restored', agentId, memoryId, caller, async (tx, stored) => {
      const former = await this.versions.findIn(tx, memoryId, version);
      if (!former) throw memoryVersionNotFound(memoryId, version);
      const restored = applyUpdate(stored, former);
      const mayVouch = vouchesFor(usersOf(caller), stored.entityId) || (stored.vouched && !textDiffers(restored, stored));
      return { ...restored, vouched: former.vouched && mayVouch };
    });
  }

  private async change(
    action: 'memory.updated' | 'memory.restored',
    agentId: string,
    memoryId: string,
    caller: Editor,
    next: (tx: Transaction, stored: MemoryRow) => Promise<MemoryRow>,
    vector?: Vector,
  ): Promise<MemoryRow> {
    const { memory, reindexed } = await this.unitOfWork.run('update memory', async (tx) => {
      const stored = await this.memories.findIn(tx, memoryId);
      if (stored?.agentId !== agentId) throw memoryNotFound(memoryId);
      const changed = await next(tx, stored);
      // Indexes keep a copy of `vouched`.
      const reindexed = textDiffers(changed, stored) || changed.vouched !== stored.vouched;
      const memory = { ...changed, ...(vector || reindexed ? { embeddedBy: null } : {}) };
      const differs = differingFields(changed, stored).length > 0;
      const kept = differs ? this.versions.keep([memoryId], caller.id, this.clock.now()) : [];
      const derived = textDiffers(changed, stored)
        ? [this.summaries.renew([memoryId], this.clock.now()), this.facts.forget([memoryId])]
        : [];
      if (differs || reindexed || vector) {
        const entry = this.changeEntry(action, memory, [...differingFields(changed, stored), ...(vector ? ['embedding'] : [])], caller);
        await tx.apply([...derived, ...kept, ...this.statements(memory, reindexed, vector), entry]);
      }
      return { memory, reindexed };
    });
    if (reindexed || vector) this.indexes.remove(agentId, memoryId);
    if (vector) this.indexes.add(agentId, memoryId, audienceOf(agentId, fieldsOf(memory)), new Map([[0, vector.elements]]));
    else if (reindexed) this.indexer.notifyActivity();
    return memory;
  }

  private statements(memory: MemoryRow, reindexed: boolean, vector: Vector | undefined): Statement[] {
    const { id, agentId, content } = memory;
    const update = this.memories.update(memory);
    const changed = this.changeEvent(agentId, id);
    if (vector) {
      const text = JSON.stringify(content);
      return [
        update,
        this.vectors.markEmbedded(id, text, vector.model),
        this.vectors.delete(id),
        this.vectors.storeVectors({ ...fieldsOf(memory), content: text }, vector.model, new Map([[0, vector.elements]])),
        changed,
      ];
    }
    return reindexed ? [update, this.vectors.delete(id), changed] : [update];
  }

  private changeEntry(action: 'memory.updated' | 'memory.restored', { id, agentId }: MemoryRow, fields: string[], by: Editor): Statement {
    const summary = action === 'memory.updated' ? 'Edited a memory.' : 'Restored a former version of a memory.';
    const actorId = by.id.startsWith('plugin:') ? by.id : undefined;
    return auditEntry(action, { target: ['memory', id], agentId, summary, fields }, this.clock.now(), actorId);
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

/** A memory as the row that recall knows. */
function fieldsOf({ id, agentId: agent_id, roomId: room_id, type, vouched }: MemoryRow): AudienceFields & { id: string; agent_id: string } {
  return { id, agent_id, room_id, type, vouched };
}

function applyUpdate(stored: MemoryRow, { content, metadata }: UpdateMemory): MemoryRow {
  if (!metadata) return { ...stored, content: content ?? stored.content };
  const origin = Object.fromEntries(Object.entries(stored.metadata).filter(([key]) => ORIGIN_KEYS.includes(key)));
  return { ...stored, content: content ?? stored.content, metadata: { type: stored.metadata['type'], ...metadata, ...origin } };
}

function textDiffers(a: MemoryRow, b: MemoryRow): boolean {
  return textOf(a.content) !== textOf(b.content);
}

function differingFields(a: MemoryRow, b: MemoryRow): string[] {
  return (['content', 'metadata'] as const).filter((name) => !isDeepStrictEqual(a[name], b[name]));
}
