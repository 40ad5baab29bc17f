import type { MigrationInterface, QueryRunner } from 'typeorm';
import { index } from '../../../core/database/table-builders.js';

const BY_AGENT = index('ix_rooms_agent', ['agent_id']);
const IN_ORDER = index('ix_rooms_created', ['agent_id', 'created_at', 'id']);

/** Index for listing an agent's rooms in order of creation. */
export class RoomsInOrder1764310000000 implements MigrationInterface {
  name = 'RoomsInOrder1764310000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createIndex('rooms', IN_ORDER.clone());
    await runner.dropIndex('rooms', BY_AGENT.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.createIndex('rooms', BY_AGENT.clone());
    await runner.dropIndex('rooms', IN_ORDER.clone());
  }
}
