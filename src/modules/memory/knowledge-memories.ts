import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import type { Statement } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import { MemoryIndexer } from './vectors/memory-indexer.js';
import { MemoriesRepository } from './repositories/memories.repository.js';

/** A piece of a document to remember. */
export interface KnowledgeMemory {
  readonly id: string;
  readonly text: string;
  /** Includes `type: 'fragment'` and `documentId`. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

const IDS_PER_EVENT = 200;

/** Statements for the pieces of documents as memories of type `knowledge`, which every conversation of the agent may recall. */
@Injectable()
export class KnowledgeMemories {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly indexer: MemoryIndexer,
    private readonly clock: Clock,
  ) {}

  /** Inserts pieces; existing ones stay unchanged and keep their vectors. Call `notifyStored` after the commit. */
  insert(agentId: string, pieces: readonly KnowledgeMemory[]): Statement[] {
    const createdAt = this.clock.now();
    const own = { agentId, roomId: agentId, entityId: agentId, worldId: agentId, type: 'knowledge' };
    const fixed = { isUnique: true, seq: null, embeddedBy: null, vouched: true, createdAt };
    return this.memories.insertAll(
      pieces.map(({ id, text, metadata }) => ({ id, ...own, content: { text }, metadata: { ...metadata }, ...fixed })),
    );
  }

  /** Replaces the metadata of a piece; its text and its vector stay. */
  describe(agentId: string, { id, metadata }: Pick<KnowledgeMemory, 'id' | 'metadata'>): Statement {
    return this.memories.replaceMetadata(agentId, id, metadata);
  }

  /** Deletes pieces with their vectors. */
  delete(agentId: string, ids: readonly string[]): Statement[] {
    if (ids.length === 0) return [];
    const events: Statement[] = [];
    for (let start = 0; start < ids.length; start += IDS_PER_EVENT) {
      const payload = { agentId, memoryId: null, deleted: ids.slice(start, start + IDS_PER_EVENT) };
      events.push(append('memory.changed', null, payload, this.clock.now()));
    }
    return [this.memories.deleteAll(ids), ...events];
  }

  /** Has stored pieces embedded. */
  notifyStored(): void {
    this.indexer.notifyActivity();
  }
}
