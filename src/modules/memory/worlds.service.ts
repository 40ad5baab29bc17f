import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork, type Page } from '../../core/database/index.js';
import type { ListPosition } from '../../core/http/index.js';
import { newId } from '../../core/ids/index.js';
import { assertMetadataSize } from '../../core/metadata/index.js';
import type { WorldRow } from './entities/index.js';
import { asObject } from './memory-json.js';
import { agentDeleted, worldNotFound } from './memory.errors.js';
import { WorldsRepository } from './repositories/worlds.repository.js';

export interface CreateWorld {
  readonly name: string;
  readonly sourceType: string | null;
  readonly sourceId: string | null;
  readonly messageServerId: string | null;
  readonly metadata: Record<string, unknown>;
}

export interface UpdateWorld {
  readonly name?: string;
  readonly metadata?: Record<string, unknown>;
  readonly settings?: Record<string, unknown>;
}

const FIRST = { at: -1, id: '' };

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
   * Adds an agent to the `roles` of a world. Has no effect on its own world.
   *
   * @throws AppError WORLD_NOT_FOUND
   */
  join(agentId: string, worldId: string): Promise<WorldRow> {
    return this.unitOfWork.run('join world', async (tx) => {
      const world = await this.worlds.findIn(tx, agentId, worldId);
      if (!world) throw worldNotFound(worldId);
      if (isMember(agentId, world)) return world;
      const metadata = { ...world.metadata, roles: { ...asObject(world.metadata['roles']), [agentId]: 'NONE' } };
      await tx.apply([this.worlds.update({ ...world, metadata })]);
      return { ...world, metadata };
    });
  }

  /** Agent ids of the world that `worldId` means to an agent: the owner first, then the members; see `WorldsRepository.find`. */
  async members(agentId: string, worldId: string): Promise<string[] | undefined> {
    const world = await this.worlds.find(agentId, worldId);
    return world && [world.agentId, ...Object.keys(asObject(world.metadata['roles']))];
  }

  /** Worlds of one agent or of all agents, oldest first. */
  list(agentId: string | undefined, after: Required<ListPosition> | undefined, limit: number): Promise<Page<WorldRow>> {
    return this.worlds.page(agentId, after ?? FIRST, limit);
  }

  /**
   * Changes a world that the agent owns or has joined. Metadata and settings are merged, key by key.
   *
   * @throws AppError WORLD_NOT_FOUND
   */
  update(agentId: string, worldId: string, { name, metadata, settings }: UpdateWorld): Promise<WorldRow> {
    return this.unitOfWork.run('update world', async (tx) => {
      const world = await this.worlds.findIn(tx, agentId, worldId);
      if (!world || !isMember(agentId, world)) throw worldNotFound(worldId);
      const merged = { ...world.metadata, ...metadata };
      if (settings) {
        merged['settings'] = {
          ...asObject(world.metadata['settings']),
          ...asObject(metadata?.['settings']),
          ...settings,
        };
      }
      const next = { ...world, name: name ?? world.name, metadata: assertMetadataSize(merged) };
      await tx.apply([this.worlds.update(next)]);
      return next;
    });
  }
}

function isMember(agentId: string, { agentId: owner, metadata }: WorldRow): boolean {
  return owner === agentId || Object.hasOwn(asObject(metadata['roles']), agentId);
}
