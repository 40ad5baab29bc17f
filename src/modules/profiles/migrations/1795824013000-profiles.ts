import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import {
  cascadingForeignKey,
  counter,
  id,
  index,
  instant,
  integer,
  key,
  optional,
  table,
  text,
  varchar,
} from '../../../core/database/table-builders.js';

const TABLES = [
  table(
    'profile_jobs',
    [
      key('agent_id'),
      key('channel_id'),
      key('user_id'),
      id('profile_id'),
      varchar('status', 16),
      integer('attempts'),
      instant('due_at', optional),
      id('lease_owner', optional),
      text('error', optional),
      integer('unread'),
      counter('read_seq'),
      instant('read_at'),
      instant('noted_at'),
      instant('updated_at'),
    ],
    {
      foreignKeys: [
        cascadingForeignKey('profile_jobs', 'agent_id', 'agents'),
        cascadingForeignKey('profile_jobs', 'channel_id', 'channels'),
      ],
      indices: [
        index('ix_profile_jobs_due', ['due_at'], { where: `"status" IN ('pending', 'running')` }),
        index('ix_profile_jobs_profile', ['profile_id']),
        index('ix_profile_jobs_channel', ['channel_id']),
      ],
    },
  ),
];

/** Jobs that read what users told agents. */
export class Profiles1795824013000 implements MigrationInterface {
  name = 'Profiles1795824013000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
