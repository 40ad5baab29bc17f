import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Journal } from '../../core/journal/index.js';
import { AgentsService } from '../agents/index.js';
import { memoryId } from './conversation-memory.js';
import { MemoryIndexer } from './memory-indexer.js';
import { RecentWords } from './recent-words.js';
import { Shelves } from './shelves.js';

/** Drops what this process holds of a message's old text, whichever process changed it. */
@Injectable()
export class MessageEdits implements OnModuleInit, OnModuleDestroy {
  private stop: () => void = () => undefined;

  constructor(
    private readonly journal: Journal,
    private readonly agents: AgentsService,
    private readonly words: RecentWords,
    private readonly shelves: Shelves,
    private readonly indexer: MemoryIndexer,
  ) {}

  onModuleInit(): void {
    this.stop = this.journal.listen((entry) => {
      if (entry.type !== 'message.updated') return;
      for (const { id } of this.agents.list()) {
        this.words.forget(id);
        this.shelves.remove(id, memoryId(id, entry.payload.id));
      }
      this.indexer.activity();
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }
}
