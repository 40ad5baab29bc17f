import type { MigrationInterface, QueryRunner } from 'typeorm';
import { id, index, instant, optional, cascadingForeignKey, primary, table } from '../../../core/database/table-builders.js';

const SERVER_AGENTS = table(
  'message_server_agents',
  [id('server_id', primary), id('agent_id', primary), instant('joined_at'), instant('left_at', optional)],
  {
    foreignKeys: [
      cascadingForeignKey('message_server_agents', 'server_id', 'message_servers'),
      cascadingForeignKey('message_server_agents', 'agent_id', 'agents'),
    ],
    indices: [index('ix_message_server_agents_agent', ['agent_id'])],
  },
);

// A total order of channels, for keyset paging.
const CHANNELS_BEFORE = index('ix_channels_server', ['server_id', 'created_at']);
const CHANNELS = index('ix_channels_server', ['server_id', 'created_at', 'id']);

const MESSAGES = index('uq_messages_pos', ['pos'], { isUnique: true });

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
  `INSERT INTO message_words (rowid, content, scope)
    SELECT pos, content, 'c' || replace(channel_id, '-', '') || ' a' || replace(author_id, '-', '') FROM messages`,
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

export class MessagingSurface1764100000000 implements MigrationInterface {
  name = 'MessagingSurface1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(SERVER_AGENTS.clone());
    await runner.dropIndex('channels', CHANNELS_BEFORE);
    await runner.createIndex('channels', CHANNELS.clone());
    await runner.createIndex('messages', MESSAGES.clone());
    for (const sql of runner.connection.options.type === 'postgres' ? POSTGRES : SQLITE) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const sql of runner.connection.options.type === 'postgres' ? POSTGRES_DOWN : SQLITE_DOWN) {
      await runner.query(sql);
    }
    await runner.dropIndex('messages', MESSAGES);
    await runner.dropIndex('channels', CHANNELS);
    await runner.createIndex('channels', CHANNELS_BEFORE.clone());
    await runner.dropTable(SERVER_AGENTS.name);
  }
}
