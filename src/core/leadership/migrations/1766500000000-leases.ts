import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leases of processes, on PostgreSQL. Unlogged: a lease that a crash removes is claimed again, and renewals do not wait for the disk. */
export class Leases1766500000000 implements MigrationInterface {
  name = 'Leases1766500000000';

  async up(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type !== 'postgres') return;
    await runner.query(
      `CREATE UNLOGGED TABLE leases (
        name varchar(32) PRIMARY KEY,
        owner varchar(36) NOT NULL,
        until timestamptz NOT NULL
      ) WITH (fillfactor = 70)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type === 'postgres') await runner.query('DROP TABLE leases');
  }
}
