import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { idForAgent } from '../../../core/ids/index.js';
import { Journal, type JournalEntry, type JournalPayloads } from '../../../core/journal/index.js';
import { memoryId } from '../conversation-memory.js';
import { roomAudiences } from '../recall/audience.js';
import { MemoryIndexer } from './memory-indexer.js';
import { VectorIndexes } from './vector-indexes.js';

/** Brings cached vectors up to date when any process changes or deletes messages or memories. */
@Injectable()
export class VectorIndexInvalidator implements OnModuleInit, OnModuleDestroy {
  private stop: () => void = () => undefined;

  constructor(
    private readonly journal: Journal,
    private readonly indexes: VectorIndexes,
    private readonly indexer: MemoryIndexer,
  ) {}

  onModuleInit(): void {
    this.stop = this.journal.subscribe((entry) => this.onEntry(entry));
  }

  onModuleDestroy(): void {
    this.stop();
  }

  private onEntry(entry: JournalEntry): void {
    if (entry.type === 'memory.changed') {
      this.onMemoryChanged(entry.payload);
      return;
    }
    for (const agentId of this.indexes.cachedAgents()) {
      if (entry.type === 'message.updated') this.indexes.reload(agentId, memoryId(agentId, entry.payload.id));
      else if (entry.type === 'message.deleted') this.indexes.remove(agentId, memoryId(agentId, entry.payload.messageId));
      else if (entry.type === 'channel.cleared' || entry.type === 'channel.deleted') {
        this.removeRoom(agentId, idForAgent(agentId, entry.payload.channelId));
      }
    }
    if (entry.type === 'message.updated') this.indexer.notifyActivity();
  }

  private onMemoryChanged({ agentId, memoryId: changed, roomId, deleted }: JournalPayloads['memory.changed']): void {
    if (changed !== null) this.indexes.reload(agentId, changed);
    else if (deleted) for (const id of deleted) this.indexes.remove(agentId, id);
    else if (roomId === undefined) this.indexes.evict(agentId);
    else this.removeRoom(agentId, roomId);
  }

  private removeRoom(agentId: string, roomId: string): void {
    this.indexes.removeAudiences(agentId, roomAudiences(roomId));
  }
}
