import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import {
  cascadingForeignKey,
  flag,
  id,
  index,
  instant,
  integer,
  json,
  key,
  optional,
  table,
  varchar,
} from '../../../core/database/table-builders.js';

const TABLES = [
  table(
    'sessions',
    [
      key('id'),
      id('agent_id'),
      id('channel_id'),
      id('user_id'),
      json('metadata'),
      integer('timeout_minutes'),
      flag('auto_renew'),
      integer('max_duration_minutes'),
      integer('warning_threshold_minutes'),
      instant('created_at'),
      instant('last_activity'),
      instant('renewed_at'),
      instant('expires_at'),
      integer('renewal_count'),
      instant('warned_for', optional),
      varchar('status', 8),
      instant('closed_at', optional),
      integer('revision'),
      instant('next_deadline'),
    ],
    {
      foreignKeys: [cascadingForeignKey('sessions', 'channel_id', 'channels')],
      indices: [
        index('ix_sessions_channel', ['channel_id']),
        // Counts of sessions read this index only.
        index('ix_sessions_deadline', ['status', 'next_deadline', 'expires_at', 'warning_threshold_minutes']),
        index('ix_sessions_newest', ['status', 'created_at']),
        index('ix_sessions_agent', ['agent_id', 'status']),
        index('ix_sessions_user', ['user_id', 'created_at']),
      ],
    },
  ),
];

export class Sessions1795824010000 implements MigrationInterface {
  name = 'Sessions1795824010000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
