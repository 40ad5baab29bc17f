import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import {
  cascadingForeignKey,
  counter,
  id,
  index,
  instant,
  integer,
  json,
  key,
  optional,
  primary,
  table,
  text,
  varchar,
} from '../../../core/database/table-builders.js';

const TABLES = [
  table(
    'turns',
    [
      id('message_id', primary),
      id('agent_id', primary),
      id('channel_id'),
      counter('seq'),
      varchar('status', 16),
      integer('attempts'),
      id('lease_owner', optional),
      instant('lease_until', optional),
      varchar('request_id', 128, optional),
      id('reply_id', optional),
      json('error', optional),
      text('trace_context', optional),
      instant('created_at'),
      instant('started_at', optional),
      instant('finished_at', optional),
    ],
    {
      foreignKeys: [cascadingForeignKey('turns', 'message_id', 'messages'), cascadingForeignKey('turns', 'channel_id', 'channels')],
      indices: [
        index('ix_turns_owed', ['channel_id', 'seq', 'agent_id'], { where: `"status" IN ('queued', 'running')` }),
        index('ix_turns_channel', ['channel_id', 'seq']),
        index('ix_turns_agent', ['agent_id', 'created_at']),
        index('ix_turns_created', ['created_at', 'reply_id']),
        index('ix_turns_reply', ['reply_id']),
        // The few failed runs among many.
        index('ix_turns_wrong', ['agent_id', 'created_at'], { where: `"status" IN ('failed', 'cancelled')` }),
        index('ix_turns_wrong_created', ['created_at', 'reply_id'], { where: `"status" IN ('failed', 'cancelled')` }),
      ],
    },
  ),
  table(
    'turn_steps',
    [id('message_id', primary), id('agent_id', primary), integer('step', primary), varchar('kind', 32), json('payload'), instant('at')],
    {
      foreignKeys: [
        {
          name: 'fk_turn_steps_turn',
          columnNames: ['message_id', 'agent_id'],
          referencedTableName: 'turns',
          referencedColumnNames: ['message_id', 'agent_id'],
          onDelete: 'CASCADE',
        },
      ],
    },
  ),
  table(
    'jobs',
    [
      key('id'),
      id('channel_id'),
      id('message_id'),
      id('agent_id'),
      id('user_id'),
      text('prompt'),
      json('metadata'),
      instant('created_at'),
      instant('expires_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('jobs', 'channel_id', 'channels')],
      indices: [index('ix_jobs_created', ['created_at', 'id']), index('ix_jobs_channel', ['channel_id'])],
    },
  ),
];
const BY_TRIGGER = ['fk_turns_message_id', 'fk_turns_channel_id', 'fk_turn_steps_turn'];

/** Turns with their steps, and jobs over HTTP. */
export class Turns1795824011000 implements MigrationInterface {
  name = 'Turns1795824011000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES, BY_TRIGGER);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES, BY_TRIGGER);
  }
}
