import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork } from '../../core/database/index.js';
import { newId } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentDefaults } from './agent-defaults.js';
import { MemoriesService, type UpdateMemory } from './memories.service.js';
import { agentDeleted } from './memory.errors.js';
import { MemoryIndexer } from './vectors/memory-indexer.js';
import { Recall } from './recall/recall.js';
import type { RecalledMemory } from './recall/recall-result.js';
import { DirectoryRepository, type StoredMemory } from './repositories/directory.repository.js';
import { MemoriesRepository } from './repositories/memories.repository.js';

export interface CreateMemory {
  readonly id?: string;
  readonly type: string;
  /** The agent's own room when absent. */
  readonly roomId?: string;
  /** The agent itself when absent. */
  readonly entityId?: string;
  readonly content: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
  /** Whether the author is verified to be `entityId`; a memory without this is recalled in its own room only. True when absent. */
  readonly vouched?: boolean;
}

const SEARCH_TIMEOUT_MS = 10_000;
const MAX_FOUND = 128;

/** An agent's memory, for plugins that act on its behalf. Every operation is confined to that agent. */
@Injectable()
export class AgentMemory {
  constructor(
    readonly directory: DirectoryRepository,
    private readonly memories: MemoriesService,
    private readonly rows: MemoriesRepository,
    private readonly defaults: AgentDefaults,
    private readonly agents: AgentsService,
    private readonly indexer: MemoryIndexer,
    private readonly recall: Recall,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a memory. An existing memory of this agent with the same id stays unchanged.
   *
   * @returns its id
   * @throws AppError AGENT_NOT_FOUND; CONFLICT when a memory of another agent has the id
   */
  async create(agentId: string, given: CreateMemory): Promise<string> {
    const agent = this.agents.require(agentId);
    const { id = newId(), type, roomId = agentId, entityId = agentId, content, metadata, vouched = true } = given;
    const worldId = roomId === agentId ? agentId : ((await this.directory.room(agentId, roomId))?.worldId ?? null);
    const createdAt = this.clock.now();
    const columns = { agentId, roomId, entityId, worldId, vouched };
    const row = { id, ...columns, type, content, metadata, isUnique: true, seq: null, embeddedBy: null, createdAt };
    try {
      await this.unitOfWork.commit([...this.defaults.statements(agent), this.rows.insertOwn(row)]);
    } catch (error) {
      throw isForeignKeyViolation(error) ? agentDeleted(agentId, error) : error;
    }
    this.indexer.notifyActivity();
    return id;
  }

  /** @param plugin its name, for the history of the memory @throws AppError as `MemoriesService.update` */
  async update(agentId: string, memoryId: string, change: UpdateMemory, plugin: string): Promise<void> {
    await this.memories.update(agentId, memoryId, change, { id: `plugin:${plugin}`, users: 'all' });
  }

  /** @returns undefined when the agent has no memory with this id */
  find(agentId: string, memoryId: string): Promise<StoredMemory | undefined> {
    return this.memories.find(agentId, memoryId);
  }

  /** @param plugin its name, for the audit log @throws AppError MEMORY_NOT_FOUND, also for another agent's memory */
  delete(agentId: string, memoryId: string, plugin: string): Promise<void> {
    return this.memories.delete(agentId, memoryId, `plugin:${plugin}`);
  }

  /** Best matches first; never throws. */
  async search(
    agentId: string,
    query: string,
    options: { limit: number; roomId?: string; minSimilarity?: number },
  ): Promise<readonly RecalledMemory[]> {
    return this.recall.relevant(agentId, query, { ...options, limit: Math.min(options.limit, MAX_FOUND), budgetMs: SEARCH_TIMEOUT_MS });
  }

  /** Newest first. */
  list(
    agentId: string,
    { roomId = '', type = '', limit = 10 }: { roomId?: string; type?: string; limit?: number },
  ): Promise<StoredMemory[]> {
    return this.directory.memories(agentId, roomId, type, limit);
  }
}
