import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runOn } from '../../database/create-tables.js';

const POSTGRES = [
  // Unlogged: a lease that a crash removes is claimed again, and renewals do not wait for the disk.
  `CREATE UNLOGGED TABLE leases (
    name varchar(32) PRIMARY KEY,
    owner varchar(36) NOT NULL,
    until timestamptz NOT NULL
  ) WITH (fillfactor = 70)`,
  // Logged: after a crash of the database, the time for going back to a version counts on.
  `CREATE TABLE server_versions (
    version varchar(64) PRIMARY KEY,
    seen_at timestamptz NOT NULL
  ) WITH (fillfactor = 70)`,
];

/** On PostgreSQL: the leases of processes, and when a server of each version was last seen. */
export class Leadership1795824001000 implements MigrationInterface {
  name = 'Leadership1795824001000';

  up(runner: QueryRunner): Promise<void> {
    return runOn(runner, { postgres: POSTGRES });
  }

  down(runner: QueryRunner): Promise<void> {
    return runOn(runner, { postgres: ['DROP TABLE server_versions', 'DROP TABLE leases'] });
  }
}
