import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import { MemoriesRepository, type MemoryScope } from './repositories/memories.repository.js';
import { Shelves } from './shelves.js';

const BATCH = 500;

/** Deletes many memories, a batch at a time so that nobody else waits for long, and what is held of them for recall. */
@Injectable()
export class MemoryDeletion {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly shelves: Shelves,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns how many there were */
  async deleteAll(scope: MemoryScope): Promise<number> {
    let total = 0;
    for (let deleted = BATCH; deleted === BATCH; total += deleted) {
      const [outcome] = await this.unitOfWork.commit([
        this.memories.deleteSome(scope, BATCH),
        append('memory.changed', null, { agentId: scope.agentId, memoryId: null }, this.clock.now()),
      ]);
      deleted = outcome?.changed ?? 0;
    }
    this.shelves.drop(scope.agentId);
    return total;
  }
}
