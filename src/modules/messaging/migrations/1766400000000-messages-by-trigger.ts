import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceByTriggers, restoreForeignKeys, type CascadingKey } from '../../../core/database/cascade-triggers.js';

const KEYS: readonly CascadingKey[] = [
  { table: 'messages', name: 'fk_messages_channel_id', columns: ['channel_id'], target: 'channels', targetColumns: ['id'] },
];

/** On PostgreSQL, a new message costs no check of its channel. */
export class MessagesByTrigger1766400000000 implements MigrationInterface {
  name = 'MessagesByTrigger1766400000000';

  up(runner: QueryRunner): Promise<void> {
    return replaceByTriggers(runner, KEYS);
  }

  down(runner: QueryRunner): Promise<void> {
    return restoreForeignKeys(runner, KEYS);
  }
}
