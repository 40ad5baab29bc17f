import type { MigrationInterface, QueryRunner } from 'typeorm';
import { index } from './table.js';

const DEADLINE = index('ix_sessions_deadline', ['status', 'next_deadline']);
const COUNTED = index('ix_sessions_deadline', ['status', 'next_deadline', 'expires_at', 'warning_threshold_minutes']);
const ADDED = [index('ix_sessions_newest', ['status', 'created_at']), index('ix_sessions_agent', ['agent_id', 'status'])];

/** Sessions are counted in an index alone, and listed and ended without reading all of them. */
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
