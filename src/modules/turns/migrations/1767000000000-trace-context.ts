import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Turns stay in the trace of their request, whichever process runs them. */
export class TurnTraceContext1767000000000 implements MigrationInterface {
  name = 'TurnTraceContext1767000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE turns ADD COLUMN trace_context text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE turns DROP COLUMN trace_context');
  }
}
