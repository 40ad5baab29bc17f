import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries stay in the trace of their request, whichever process handles them. */
export class DeliveryTraceContext1767000001000 implements MigrationInterface {
  name = 'DeliveryTraceContext1767000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries ADD COLUMN trace_context text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN trace_context');
  }
}
