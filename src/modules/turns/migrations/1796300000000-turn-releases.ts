import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runOn } from '../../../core/database/create-tables.js';

const ADD = 'ALTER TABLE turns ADD COLUMN releases integer NOT NULL DEFAULT 0';
const DROP = 'ALTER TABLE turns DROP COLUMN releases';

/** Attempts that a stop of the server ended. They keep their numbers, by which clients tell the texts of attempts apart. */
export class TurnReleases1796300000000 implements MigrationInterface {
  name = 'TurnReleases1796300000000';

  up(runner: QueryRunner): Promise<void> {
    return runOn(runner, { sqlite: [ADD], postgres: [ADD] });
  }

  down(runner: QueryRunner): Promise<void> {
    return runOn(runner, { sqlite: [DROP], postgres: [DROP] });
  }
}
