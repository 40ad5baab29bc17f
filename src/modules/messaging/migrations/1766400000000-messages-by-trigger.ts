import type { QueryRunner } from 'typeorm';
import { replaceByTriggers, restoreForeignKeys, type CascadingKey } from '../../../core/database/cascade-triggers.js';
import type { Contraction } from '../../../core/database/index.js';

const KEYS: readonly CascadingKey[] = [
  { table: 'messages', name: 'fk_messages_channel_id', columns: ['channel_id'], target: 'channels', targetColumns: ['id'] },
];

/** On PostgreSQL, a new message costs no check of its channel. */
export class MessagesByTrigger1766400000000 implements Contraction {
  name = 'MessagesByTrigger1766400000000';
  /** Processes of the former version insert rows without looking for the row that they belong to. */
  readonly contracts = true;

  up(runner: QueryRunner): Promise<void> {
    return replaceByTriggers(runner, KEYS);
  }

  down(runner: QueryRunner): Promise<void> {
    return restoreForeignKeys(runner, KEYS);
  }
}
