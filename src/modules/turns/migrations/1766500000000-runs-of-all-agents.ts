import type { MigrationInterface, QueryRunner } from 'typeorm';
import { index } from '../../../core/database/table-builders.js';

// For the newest runs of all agents, and for the few failed ones among them.
const INDICES = [
  index('ix_turns_created', ['created_at', 'reply_id']),
  index('ix_turns_wrong_created', ['created_at', 'reply_id'], { where: `"status" IN ('failed', 'cancelled')` }),
];

export class RunsOfAllAgents1766500000000 implements MigrationInterface {
  name = 'RunsOfAllAgents1766500000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const definition of INDICES) await runner.createIndex('turns', definition.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const definition of INDICES) await runner.dropIndex('turns', definition.name!);
  }
}
