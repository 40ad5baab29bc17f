import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import {
  cascadingForeignKey,
  counter,
  flag,
  id,
  index,
  instant,
  key,
  optional,
  primary,
  table,
  varchar,
} from '../../../core/database/table-builders.js';

const forgotten = (column: string, target: string): ReturnType<typeof cascadingForeignKey> => ({
  ...cascadingForeignKey('media_files', column, target),
  onDelete: 'SET NULL',
});

const TABLES = [
  table(
    'media_files',
    [
      key('id'),
      varchar('hash', 64),
      varchar('area', 16),
      id('agent_id', optional),
      id('channel_id', optional),
      varchar('name'),
      varchar('original_name'),
      varchar('mime_type', 127),
      counter('size'),
      flag('attached'),
      instant('created_at'),
    ],
    {
      // A file without an owner is no longer served; its row stays until its content is deleted.
      foreignKeys: [forgotten('agent_id', 'agents'), forgotten('channel_id', 'channels')],
      indices: [
        index('uq_media_files_name', ['name'], { isUnique: true }),
        index('ix_media_files_hash', ['hash']),
        index('ix_media_files_agent', ['agent_id']),
        index('ix_media_files_channel', ['channel_id']),
      ],
    },
  ),
  table('message_attachments', [id('message_id', primary), id('media_id', primary)], {
    foreignKeys: [
      cascadingForeignKey('message_attachments', 'message_id', 'messages'),
      cascadingForeignKey('message_attachments', 'media_id', 'media_files'),
    ],
    indices: [index('ix_message_attachments_media', ['media_id'])],
  }),
];

export class Media1795824009000 implements MigrationInterface {
  name = 'Media1795824009000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
