import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
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

  /** Deletes the memories of an agent or a room. The audit log has one entry, however many there are. @returns their number */
  async deleteAll(scope: MemoryScope): Promise<number> {
    const { agentId, roomId } = scope;
    let total = 0;
    // A batch may count less than it deletes: facts are also deleted with their sources.
    for (let deleted = 1; deleted > 0; total += deleted) {
      const first = total === 0;
      deleted = await this.unitOfWork.run('delete memories', async (tx) => {
        const now = this.clock.now();
        const [outcome] = await tx.apply([
          this.memories.deleteBatch(scope, BATCH),
          this.summaries.deleteIn(scope),
          append('memory.changed', null, { agentId, memoryId: null, ...(roomId === undefined ? {} : { roomId }) }, now),
        ]);
        const { changed = 0 } = outcome ?? {};
        if (first && changed > 0) await tx.apply([deletion(scope, now)]);
        return changed;
      });
    }
    if (roomId === undefined) this.indexes.evict(agentId);
    else this.indexes.removeAudiences(agentId, roomAudiences(roomId));
    return total;
  }
}

function deletion({ agentId, roomId }: MemoryScope, now: number): Statement {
  return roomId === undefined
    ? auditEntry('memories.deleted', { target: ['agent', agentId], agentId, summary: 'Deleted all memories of the agent.' }, now)
    : auditEntry('memories.deleted', { target: ['room', roomId], agentId, summary: 'Deleted all memories of the room.' }, now);
}
