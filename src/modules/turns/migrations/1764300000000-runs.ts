import type { MigrationInterface, QueryRunner } from 'typeorm';
import { index } from '../../../core/database/table-builders.js';

// For lookups by run id, and for the few failed runs among many.
const INDICES = [
  index('ix_turns_reply', ['reply_id']),
  index('ix_turns_wrong', ['agent_id', 'created_at'], { where: `"status" IN ('failed', 'cancelled')` }),
];

export class Runs1764300000000 implements MigrationInterface {
  name = 'Runs1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const definition of INDICES) await runner.createIndex('turns', definition.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const definition of INDICES) await runner.dropIndex('turns', definition.name!);
  }
}
