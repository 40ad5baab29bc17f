import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceByTriggers, restoreForeignKeys, type CascadingKey } from '../../../core/database/cascade-triggers.js';

const KEYS: readonly CascadingKey[] = [
  { table: 'memories', name: 'fk_memories_agent_id', columns: ['agent_id'], target: 'agents', targetColumns: ['id'] },
];

/** On PostgreSQL, a new memory costs no check of its agent. */
export class MemoriesByTrigger1766400002000 implements MigrationInterface {
  name = 'MemoriesByTrigger1766400002000';

  up(runner: QueryRunner): Promise<void> {
    return replaceByTriggers(runner, KEYS);
  }

  down(runner: QueryRunner): Promise<void> {
    return restoreForeignKeys(runner, KEYS);
  }
}
