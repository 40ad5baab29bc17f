import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Journal } from '../../core/journal/index.js';
import { AgentsService } from '../agents/index.js';
import { memoryId } from './conversation-memory.js';
import { MemoryIndexer } from './memory-indexer.js';
import { Shelves } from './shelves.js';

/** Drops what this process holds of the old texts of messages and memories, whichever process changed them. */
@Injectable()
export class MessageEdits implements OnModuleInit, OnModuleDestroy {
  private stop: () => void = () => undefined;

  constructor(
    private readonly journal: Journal,
    private readonly agents: AgentsService,
    private readonly shelves: Shelves,
    private readonly indexer: MemoryIndexer,
  ) {}

  onModuleInit(): void {
    this.stop = this.journal.listen((entry) => {
      if (entry.type === 'message.updated') {
        for (const { id } of this.agents.list()) this.forget(id, memoryId(id, entry.payload.id));
        this.indexer.activity();
      } else if (entry.type === 'memory.changed') {
        this.forget(entry.payload.agentId, entry.payload.memoryId);
      }
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }

  private forget(agentId: string, changed: string | null): void {
    if (changed === null) this.shelves.drop(agentId);
    else this.shelves.changed(agentId, changed);
  }
}
