import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork } from '../../core/database/index.js';
import { newId } from '../../core/ids/index.js';
import type { WorldRow } from './entities/index.js';
import { agentDeleted, worldNotFound } from './memory.errors.js';
import { WorldsRepository } from './repositories/worlds.repository.js';

export interface CreateWorld {
  readonly name: string;
  readonly sourceType: string | null;
  readonly sourceId: string | null;
  readonly messageServerId: string | null;
  readonly metadata: Record<string, unknown>;
}

@Injectable()
export class WorldsService {
  constructor(
    private readonly worlds: WorldsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async create(agentId: string, command: CreateWorld): Promise<WorldRow> {
    const world: WorldRow = { id: newId(), agentId, ...command, createdAt: this.clock.now() };
    try {
      await this.unitOfWork.commit([this.worlds.insert(world)]);
    } catch (error) {
      throw isForeignKeyViolation(error) ? agentDeleted(agentId, error) : error;
    }
    return world;
  }

  /**
   * Lets an agent join a world, which says so among its roles; its own world it is in already.
   *
   * @throws AppError WORLD_NOT_FOUND
   */
  join(agentId: string, worldId: string): Promise<WorldRow> {
    return this.unitOfWork.run('join world', async (tx) => {
      const world = await this.worlds.findIn(tx, worldId);
      if (!world) throw worldNotFound(worldId);
      const roles = (world.metadata['roles'] ?? {}) as Record<string, unknown>;
      if (world.agentId === agentId || Object.hasOwn(roles, agentId)) return world;
      const metadata = { ...world.metadata, roles: { ...roles, [agentId]: 'NONE' } };
      await tx.apply([this.worlds.updateMetadata(worldId, metadata)]);
      return { ...world, metadata };
    });
  }
}
