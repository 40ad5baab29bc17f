import type { QueryRunner } from 'typeorm';
import { replaceByTriggers, restoreForeignKeys, type CascadingKey } from '../../../core/database/cascade-triggers.js';
import type { Contraction } from '../../../core/database/index.js';

const KEYS: readonly CascadingKey[] = [
  { table: 'turns', name: 'fk_turns_channel_id', columns: ['channel_id'], target: 'channels', targetColumns: ['id'] },
  { table: 'turns', name: 'fk_turns_message_id', columns: ['message_id'], target: 'messages', targetColumns: ['id'] },
  {
    table: 'turn_steps',
    name: 'fk_turn_steps_turn',
    columns: ['message_id', 'agent_id'],
    target: 'turns',
    targetColumns: ['message_id', 'agent_id'],
  },
];

/** On PostgreSQL, a new turn costs no checks of its channel and message, and a step none of its turn. */
export class TurnsByTrigger1766400001000 implements Contraction {
  name = 'TurnsByTrigger1766400001000';
  /** Processes of the former version insert rows without looking for the row that they belong to. */
  readonly contracts = true;

  up(runner: QueryRunner): Promise<void> {
    return replaceByTriggers(runner, KEYS);
  }

  down(runner: QueryRunner): Promise<void> {
    return restoreForeignKeys(runner, KEYS);
  }
}
