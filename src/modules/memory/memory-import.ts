import { Injectable } from '@nestjs/common';
import { UnitOfWork, type ColumnsOf, type Statement } from '../../core/database/index.js';
import type { EntityRow, MemoryRow, WorldRow } from './entities/index.js';
import { MemoriesRepository } from './repositories/memories.repository.js';
import { RoomsRepository, type NewRoom } from './repositories/rooms.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';

/** A participant of a room of another installation. */
export interface ImportedParticipant {
  readonly roomId: string;
  readonly entityId: string;
  readonly agentId: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly vouched: boolean;
}

/**
 * Takes over worlds, rooms, entities and memories with their ids and times. What exists stays unchanged, so an import can be repeated. Each
 * method stores its rows in one transaction and returns the number of new ones.
 */
@Injectable()
export class MemoryImport {
  constructor(
    private readonly worlds: WorldsRepository,
    private readonly rooms: RoomsRepository,
    private readonly memories: MemoriesRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  addWorlds(rows: readonly ColumnsOf<WorldRow>[]): Promise<number> {
    return this.add(rows.map((row) => this.worlds.insert(row)));
  }

  addRooms(rows: readonly NewRoom[]): Promise<number> {
    return this.add(rows.map((row) => this.rooms.insert(row)));
  }

  addEntities(rows: readonly ColumnsOf<EntityRow>[]): Promise<number> {
    return this.add(rows.map((row) => this.rooms.insertEntity(row)));
  }

  addParticipants(rows: readonly ImportedParticipant[]): Promise<number> {
    return this.add(
      rows.map(({ roomId, entityId, agentId, createdAt, vouched }) =>
        this.rooms.insertParticipant(roomId, entityId, agentId, createdAt, vouched),
      ),
    );
  }

  addMemories(rows: readonly ColumnsOf<MemoryRow>[]): Promise<number> {
    return this.add(rows.map((row) => this.memories.insert(row)));
  }

  private async add(statements: readonly Statement[]): Promise<number> {
    if (statements.length === 0) return 0;
    const outcomes = await this.unitOfWork.commit(statements.map((statement) => ({ ...statement, counted: true })));
    return outcomes.reduce((added, { changed }) => added + (changed ?? 0), 0);
  }
}
