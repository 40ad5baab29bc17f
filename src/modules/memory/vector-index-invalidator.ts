import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Journal } from '../../core/journal/index.js';
import { memoryId } from './conversation-memory.js';
import { MemoryIndexer } from './memory-indexer.js';
import { VectorIndexes } from './vector-indexes.js';

/** Invalidates cached vectors when any process changes a message or a memory. */
@Injectable()
export class VectorIndexInvalidator implements OnModuleInit, OnModuleDestroy {
  private stop: () => void = () => undefined;

  constructor(
    private readonly journal: Journal,
    private readonly indexes: VectorIndexes,
    private readonly indexer: MemoryIndexer,
  ) {}

  onModuleInit(): void {
    this.stop = this.journal.subscribe((entry) => {
      if (entry.type === 'message.updated') {
        for (const agentId of this.indexes.cachedAgents()) this.invalidate(agentId, memoryId(agentId, entry.payload.id));
        this.indexer.notifyActivity();
      } else if (entry.type === 'memory.changed') {
        this.invalidate(entry.payload.agentId, entry.payload.memoryId);
      }
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }

  private invalidate(agentId: string, changed: string | null): void {
    if (changed === null) this.indexes.evict(agentId);
    else this.indexes.reload(agentId, changed);
  }
}
