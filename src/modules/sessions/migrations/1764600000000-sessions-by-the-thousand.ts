import type { MigrationInterface, QueryRunner } from 'typeorm';
import { index } from '../../../core/database/table-builders.js';

const DEADLINE = index('ix_sessions_deadline', ['status', 'next_deadline']);
const COUNTED = index('ix_sessions_deadline', ['status', 'next_deadline', 'expires_at', 'warning_threshold_minutes']);
const ADDED = [index('ix_sessions_newest', ['status', 'created_at']), index('ix_sessions_agent', ['agent_id', 'status'])];

/** Indexes for counting sessions with an index-only query, and for listing and ending them without a full scan. */
export class SessionsByTheThousand1764600000000 implements MigrationInterface {
  name = 'SessionsByTheThousand1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('sessions', DEADLINE.clone());
    await runner.createIndices(
      'sessions',
      [COUNTED, ...ADDED].map((each) => each.clone()),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const each of [COUNTED, ...ADDED]) await runner.dropIndex('sessions', each.clone());
    await runner.createIndex('sessions', DEADLINE.clone());
  }
}
