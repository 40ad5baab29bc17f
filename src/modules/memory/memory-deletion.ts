import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import { roomAudiences } from './recall/audience.js';
import { MemoriesRepository, type MemoryScope } from './repositories/memories.repository.js';
import { SummariesRepository } from './repositories/summaries.repository.js';
import { VectorIndexes } from './vectors/vector-indexes.js';

const BATCH = 500;

/** Deletes memories in batches, so that other writers do not wait for long, together with their cached vectors. */
@Injectable()
export class MemoryDeletion {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly summaries: SummariesRepository,
    private readonly indexes: VectorIndexes,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns the number of deleted memories */
  async deleteAll(scope: MemoryScope): Promise<number> {
    const { agentId, roomId } = scope;
    let total = 0;
    // A batch may count less than it deletes: facts are also deleted with their sources.
    for (let deleted = 1; deleted > 0; total += deleted) {
      const [outcome] = await this.unitOfWork.commit([
        this.memories.deleteBatch(scope, BATCH),
        this.summaries.deleteIn(scope),
        append('memory.changed', null, { agentId, memoryId: null, ...(roomId === undefined ? {} : { roomId }) }, this.clock.now()),
      ]);
      deleted = outcome?.changed ?? 0;
    }
    if (roomId === undefined) this.indexes.evict(agentId);
    else this.indexes.removeAudiences(agentId, roomAudiences(roomId));
    return total;
  }
}
