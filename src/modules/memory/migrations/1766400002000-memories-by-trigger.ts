import type { QueryRunner } from 'typeorm';
import { replaceByTriggers, restoreForeignKeys, type CascadingKey } from '../../../core/database/cascade-triggers.js';
import type { Contraction } from '../../../core/database/index.js';

const KEYS: readonly CascadingKey[] = [
  { table: 'memories', name: 'fk_memories_agent_id', columns: ['agent_id'], target: 'agents', targetColumns: ['id'] },
];

/** On PostgreSQL, a new memory costs no check of its agent. */
export class MemoriesByTrigger1766400002000 implements Contraction {
  name = 'MemoriesByTrigger1766400002000';
  /** Processes of the former version insert rows without looking for the row that they belong to. */
  readonly contracts = true;

  up(runner: QueryRunner): Promise<void> {
    return replaceByTriggers(runner, KEYS);
  }

  down(runner: QueryRunner): Promise<void> {
    return restoreForeignKeys(runner, KEYS);
  }
}
