import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counter, id, index, instant, integer, key, optional, table, text, varchar } from '../../../core/database/table-builders.js';

const TABLE = table(
  'conversation_summaries',
  [
    key('room_id'),
    key('agent_id'),
    text('text', optional),
    varchar('model', 255, optional),
    integer('messages'),
    counter('from_seq'),
    counter('through_seq'),
    counter('until_seq'),
    id('turn_id'),
    id('user_id'),
    varchar('status', 16),
    integer('attempts'),
    instant('due_at', optional),
    id('lease_owner', optional),
    text('error', optional),
    instant('created_at', optional),
    instant('updated_at'),
  ],
  {
    foreignKeys: [
      {
        name: 'fk_conversation_summaries_room_id',
        columnNames: ['room_id', 'agent_id'],
        referencedTableName: 'rooms',
        referencedColumnNames: ['id', 'agent_id'],
        onDelete: 'CASCADE',
      },
    ],
    indices: [index('ix_conversation_summaries_due', ['due_at'], { where: `"status" IN ('pending', 'running')` })],
  },
);

/** Summaries of conversations, and the jobs that extend them. */
export class ConversationSummaries1765500000000 implements MigrationInterface {
  name = 'ConversationSummaries1765500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
