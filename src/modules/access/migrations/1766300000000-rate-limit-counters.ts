import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counters of rate limits that processes share, on PostgreSQL. Unlogged: they may be lost in a crash, and cost no wait for the disk. */
export class RateLimitCounters1766300000000 implements MigrationInterface {
  name = 'RateLimitCounters1766300000000';

  async up(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type !== 'postgres') return;
    await runner.query(
      `CREATE UNLOGGED TABLE rate_limit_counters (
        kind varchar(16) NOT NULL,
        bucket integer NOT NULL,
        taken bigint NOT NULL,
        ends_at bigint NOT NULL,
        PRIMARY KEY (kind, bucket)
      ) WITH (fillfactor = 70)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type === 'postgres') await runner.query('DROP TABLE rate_limit_counters');
  }
}
