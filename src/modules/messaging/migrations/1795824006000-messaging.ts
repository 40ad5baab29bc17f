import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables, runOn } from '../../../core/database/create-tables.js';
import {
  cascadingForeignKey,
  counter,
  flag,
  id,
  index,
  instant,
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
    'message_servers',
    [
      key('id'),
      varchar('name'),
      varchar('source_type'),
      varchar('source_id', 255, optional),
      json('metadata'),
      instant('created_at'),
      instant('updated_at'),
    ],
    { indices: [index('ix_message_servers_created', ['created_at', 'id'])] },
  ),
  table('message_server_agents', [id('server_id', primary), id('agent_id', primary), instant('joined_at'), instant('left_at', optional)], {
    foreignKeys: [
      cascadingForeignKey('message_server_agents', 'server_id', 'message_servers'),
      cascadingForeignKey('message_server_agents', 'agent_id', 'agents'),
    ],
    indices: [index('ix_message_server_agents_agent', ['agent_id'])],
  }),
  table(
    'channels',
    [
      key('id'),
      id('server_id'),
      varchar('name'),
      varchar('type', 16),
      varchar('channel_type', 16),
      text('description', optional),
      varchar('source_type', 255, optional),
      varchar('source_id', 255, optional),
      json('metadata'),
      varchar('turn_policy', 16),
      flag('vouched', { default: true }),
      instant('created_at'),
      instant('updated_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('channels', 'server_id', 'message_servers')],
      indices: [index('ix_channels_server', ['server_id', 'created_at', 'id'])],
    },
  ),
  table('channel_participants', [id('channel_id', primary), id('entity_id', primary), varchar('kind', 8), instant('joined_at')], {
    foreignKeys: [cascadingForeignKey('channel_participants', 'channel_id', 'channels')],
    indices: [index('ix_channel_participants_entity', ['entity_id'])],
  }),
  table(
    'messages',
    [
      key('id'),
      id('channel_id'),
      counter('seq'),
      counter('pos'),
      id('author_id'),
      varchar('author_kind', 8),
      varchar('author_name', 255, optional),
      text('content'),
      json('raw_message', optional),
      varchar('source_type'),
      varchar('source_id', 255, optional),
      json('metadata'),
      id('in_reply_to', optional),
      varchar('client_message_id', 255, optional),
      flag('vouched', { default: true }),
      instant('created_at'),
      instant('updated_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('messages', 'channel_id', 'channels')],
      indices: [
        index('uq_messages_channel_seq', ['channel_id', 'seq'], { isUnique: true }),
        index('ix_messages_channel_created', ['channel_id', 'created_at', 'seq']),
        index('uq_messages_client', ['channel_id', 'author_id', 'client_message_id'], { isUnique: true }),
        index('uq_messages_pos', ['pos'], { isUnique: true }),
      ],
    },
  ),
];
const BY_TRIGGER = ['fk_messages_channel_id'];

// The rowid of an index entry is the message's journal offset. Channel and author are terms of a separate column, so that a search
// within one of them does not read the matches of others. The index stores terms only, not the text.
const SQLITE = [
  `CREATE VIRTUAL TABLE message_words USING fts5(content, scope, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
  `CREATE TRIGGER tr_messages_insert AFTER INSERT ON messages BEGIN
    INSERT INTO message_words (rowid, content, scope)
      VALUES (new.pos, new.content, 'c' || replace(new.channel_id, '-', '') || ' a' || replace(new.author_id, '-', ''));
  END`,
  `CREATE TRIGGER tr_messages_update AFTER UPDATE OF content, author_id ON messages BEGIN
    UPDATE message_words SET content = new.content,
      scope = 'c' || replace(new.channel_id, '-', '') || ' a' || replace(new.author_id, '-', '') WHERE rowid = new.pos;
  END`,
  `CREATE TRIGGER tr_messages_delete AFTER DELETE ON messages BEGIN
    DELETE FROM message_words WHERE rowid = old.pos;
  END`,
];
const SQLITE_DOWN = [
  'DROP TRIGGER tr_messages_insert',
  'DROP TRIGGER tr_messages_update',
  'DROP TRIGGER tr_messages_delete',
  'DROP TABLE message_words',
];
// PostgreSQL's parser keeps addresses, paths and hyphenated words as single tokens, hence the translation. Searches use the same
// expression.
const POSTGRES = [
  `CREATE INDEX ix_messages_words ON messages
    USING gin (to_tsvector('simple', translate(content, './@:-_+&%#=~', '            ')))`,
  'CREATE INDEX ix_messages_author ON messages (author_id, pos)',
];
const POSTGRES_DOWN = ['DROP INDEX ix_messages_author', 'DROP INDEX ix_messages_words'];

/** Servers, channels and messages, with a full-text index of the messages. */
export class Messaging1795824006000 implements MigrationInterface {
  name = 'Messaging1795824006000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, TABLES, BY_TRIGGER);
    await runOn(runner, { sqlite: SQLITE, postgres: POSTGRES });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runOn(runner, { sqlite: SQLITE_DOWN, postgres: POSTGRES_DOWN });
    await dropTables(runner, TABLES, BY_TRIGGER);
  }
}
