import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import { MemoriesRepository, type MemoryScope } from './repositories/memories.repository.js';
import { VectorIndexes } from './vector-indexes.js';

const BATCH = 500;

/** Deletes memories in batches, so that other writers do not wait for long, together with their cached vectors. */
@Injectable()
export class MemoryDeletion {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly indexes: VectorIndexes,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns the number of deleted memories */
  async deleteAll(scope: MemoryScope): Promise<number> {
    let total = 0;
    for (let deleted = BATCH; deleted === BATCH; total += deleted) {
      const [outcome] = await this.unitOfWork.commit([
        this.memories.deleteBatch(scope, BATCH),
        append('memory.changed', null, { agentId: scope.agentId, memoryId: null }, this.clock.now()),
      ]);
      deleted = outcome?.changed ?? 0;
    }
    this.indexes.evict(scope.agentId);
    return total;
  }
}
