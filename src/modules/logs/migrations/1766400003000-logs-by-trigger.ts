import type { QueryRunner } from 'typeorm';
import { replaceByTriggers, restoreForeignKeys, type CascadingKey } from '../../../core/database/cascade-triggers.js';
import type { Contraction } from '../../../core/database/index.js';

const KEYS: readonly CascadingKey[] = [
  { table: 'agent_logs', name: 'fk_agent_logs_agent_id', columns: ['agent_id'], target: 'agents', targetColumns: ['id'] },
];

/** On PostgreSQL, a new log entry costs no check of its agent. */
export class LogsByTrigger1766400003000 implements Contraction {
  name = 'LogsByTrigger1766400003000';
  /** Processes of the former version insert rows without looking for the row that they belong to. */
  readonly contracts = true;

  up(runner: QueryRunner): Promise<void> {
    return replaceByTriggers(runner, KEYS);
  }

  down(runner: QueryRunner): Promise<void> {
    return restoreForeignKeys(runner, KEYS);
  }
}
