import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { index, instant, key, optional, table, varchar } from '../core/database/table-builders.js';

const DELETED_AGENTS = table('deleted_agents', [key('id'), varchar('source_hash', 64), instant('deleted_at')]);
const ROOM_CHANGED = new TableColumn(instant('updated_at', optional));
const MEMORIES_BY_TYPE = index('ix_memories_type', ['agent_id', 'type', 'created_at', 'id']);
const WORLDS_IN_ORDER = index('ix_worlds_created', ['created_at', 'id']);

/** Stores deleted agents and changes of rooms, and adds indexes for lists of memories by type and of worlds. */
export class AgentsAndRooms1764000000000 implements MigrationInterface {
  name = 'AgentsAndRooms1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(DELETED_AGENTS.clone());
    await runner.addColumn('rooms', ROOM_CHANGED.clone());
    await runner.createIndex('memories', MEMORIES_BY_TYPE.clone());
    await runner.createIndex('worlds', WORLDS_IN_ORDER.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('worlds', WORLDS_IN_ORDER.clone());
    await runner.dropIndex('memories', MEMORIES_BY_TYPE.clone());
    await runner.dropColumn('rooms', ROOM_CHANGED.clone());
    await runner.dropTable(DELETED_AGENTS.name);
  }
}
