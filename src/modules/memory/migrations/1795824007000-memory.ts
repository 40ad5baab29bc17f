import type { MigrationInterface, QueryRunner, TableForeignKeyOptions } from 'typeorm';
import { createTables, dropTables, runOn } from '../../../core/database/create-tables.js';
import {
  cascadingForeignKey,
  counter,
  flag,
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

const ofRoom = (of: string): TableForeignKeyOptions => ({
  ...cascadingForeignKey(of, 'room_id', 'rooms'),
  columnNames: ['room_id', 'agent_id'],
  referencedColumnNames: ['id', 'agent_id'],
});

const TABLES = [
  table(
    'worlds',
    [
      key('id'),
      key('agent_id'),
      varchar('name'),
      varchar('source_type', 255, optional),
      varchar('source_id', 255, optional),
      id('message_server_id', optional),
      json('metadata'),
      instant('created_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('worlds', 'agent_id', 'agents')],
      indices: [index('ix_worlds_agent', ['agent_id']), index('ix_worlds_created', ['created_at', 'id'])],
    },
  ),
  table(
    'rooms',
    [
      key('id'),
      key('agent_id'),
      varchar('name'),
      varchar('source'),
      varchar('type', 16),
      id('world_id', optional),
      id('channel_id', optional),
      id('message_server_id', optional),
      json('metadata'),
      counter('remembered_seq'),
      instant('created_at'),
      instant('updated_at', optional),
    ],
    {
      foreignKeys: [cascadingForeignKey('rooms', 'agent_id', 'agents')],
      indices: [
        index('ix_rooms_created', ['agent_id', 'created_at', 'id']),
        index('ix_rooms_channel', ['channel_id']),
        // Ids derived from a name (version 0), and agents' own ids, are computable, so they are not unique across agents.
        index('uq_rooms_chosen_id', ['id'], { isUnique: true, where: `"id" <> "agent_id" AND substr("id", 15, 1) <> '0'` }),
      ],
    },
  ),
  table('entities', [id('id', primary), id('agent_id', primary), json('names'), json('metadata'), instant('created_at')], {
    foreignKeys: [cascadingForeignKey('entities', 'agent_id', 'agents')],
  }),
  table(
    'participants',
    [
      key('room_id'),
      key('entity_id'),
      key('agent_id'),
      varchar('state', 16, optional),
      flag('vouched', { default: true }),
      instant('created_at'),
    ],
    { foreignKeys: [ofRoom('participants')], indices: [index('ix_participants_entity', ['entity_id'])] },
  ),
  table(
    'memories',
    [
      key('id'),
      id('agent_id'),
      id('room_id'),
      id('entity_id'),
      id('world_id', optional),
      varchar('type', 64),
      json('content'),
      json('metadata'),
      flag('is_unique'),
      counter('seq', optional),
      varchar('embedded_by', 255, optional),
      flag('vouched', { default: true }),
      instant('created_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('memories', 'agent_id', 'agents')],
      indices: [
        index('ix_memories_room', ['agent_id', 'room_id', 'type', 'created_at']),
        index('ix_memories_agent', ['agent_id', 'created_at']),
        index('ix_memories_type', ['agent_id', 'type', 'created_at', 'id']),
        index('ix_memories_facts', ['agent_id', 'entity_id'], { where: `"type" = 'facts'` }),
        index('ix_memories_unembedded', ['created_at'], { where: '"embedded_by" IS NULL' }),
      ],
    },
  ),
  table(
    'memory_versions',
    [
      key('memory_id'),
      integer('version', primary),
      json('content'),
      json('metadata'),
      flag('vouched'),
      instant('changed_at'),
      varchar('changed_by'),
    ],
    { foreignKeys: [cascadingForeignKey('memory_versions', 'memory_id', 'memories')] },
  ),
  table('memory_sources', [key('memory_id'), key('source_id')], {
    foreignKeys: [
      cascadingForeignKey('memory_sources', 'memory_id', 'memories'),
      cascadingForeignKey('memory_sources', 'source_id', 'memories'),
    ],
    indices: [index('ix_memory_sources_source', ['source_id'])],
  }),
  table(
    'memory_vectors',
    [
      id('memory_id', primary),
      integer('piece', primary),
      id('agent_id'),
      varchar('model'),
      integer('dimension'),
      varchar('audience', 64),
      instant('created_at'),
      varchar('signature', 160),
      text('vector'),
    ],
    {
      foreignKeys: [cascadingForeignKey('memory_vectors', 'memory_id', 'memories')],
      indices: [index('ix_memory_vectors_agent', ['agent_id', 'created_at', 'memory_id', 'piece', 'model', 'audience', 'signature'])],
    },
  ),
  table('embedding_claims', [key('memory_id'), id('owner'), instant('expires_at')], {
    foreignKeys: [cascadingForeignKey('embedding_claims', 'memory_id', 'memories')],
  }),
  table(
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
      foreignKeys: [ofRoom('conversation_summaries')],
      indices: [index('ix_conversation_summaries_due', ['due_at'], { where: `"status" IN ('pending', 'running')` })],
    },
  ),
];
const BY_TRIGGER = ['fk_memories_agent_id'];

// Maximum length of the indexed text, characters.
const SEARCHED = 32_000;

// A NUL becomes a space: SQLite would end the text there, and PostgreSQL rejects its escape.
// memory_places assigns each memory a stable integer for the rowid of its index entry. The index stores terms only, not the text. Terms of a
// separate column say which searches find a memory, so that a search within a few rooms does not read the matches of others: its agent, and
// `documents`; `open` for facts of the agent itself; else `r` with the room, and for vouched memories also `v` with the room and `u` with
// the author, which other rooms search by.
export const TEXT = `CASE WHEN json_valid(new.content) THEN substr(json_extract(replace(new.content, '\\u0000', '\\u0020'), '$.text'), 1, ${SEARCHED}) END`;
const bare = (column: string): string => `replace(${column}, '-', '')`;
export const SCOPE = (row: string): string => `'a' || ${bare(`${row}.agent_id`)} || CASE
  WHEN ${row}.type IN ('documents', 'knowledge') THEN ' documents'
  WHEN ${row}.room_id = ${row}.agent_id THEN ' open'
  ELSE ' r' || ${bare(`${row}.room_id`)}
    || CASE WHEN ${row}.vouched THEN ' v' || ${bare(`${row}.room_id`)} || ' u' || ${bare(`${row}.entity_id`)} ELSE '' END END`;
const SQLITE = [
  'CREATE TABLE memory_places (pos INTEGER PRIMARY KEY, memory_id varchar(36) NOT NULL UNIQUE)',
  `CREATE VIRTUAL TABLE memory_words USING fts5(text, scope, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
  `CREATE TRIGGER tr_memories_insert AFTER INSERT ON memories BEGIN
    INSERT INTO memory_places (memory_id) VALUES (new.id);
    INSERT INTO memory_words (rowid, text, scope) VALUES (last_insert_rowid(), ${TEXT}, ${SCOPE('new')});
  END`,
  `CREATE TRIGGER tr_memories_update AFTER UPDATE OF content, vouched ON memories BEGIN
    UPDATE memory_words SET text = ${TEXT}, scope = ${SCOPE('new')}
      WHERE rowid = (SELECT pos FROM memory_places WHERE memory_id = new.id);
  END`,
  `CREATE TRIGGER tr_memories_delete AFTER DELETE ON memories BEGIN
    DELETE FROM memory_words WHERE rowid = (SELECT pos FROM memory_places WHERE memory_id = old.id);
    DELETE FROM memory_places WHERE memory_id = old.id;
  END`,
  // A fact is deleted with the first of its sources.
  `CREATE TRIGGER tr_memory_sources_delete AFTER DELETE ON memory_sources BEGIN
    DELETE FROM memories WHERE id = old.memory_id;
  END`,
];
const SQLITE_DOWN = [
  'DROP TRIGGER tr_memory_sources_delete',
  'DROP TRIGGER tr_memories_insert',
  'DROP TRIGGER tr_memories_update',
  'DROP TRIGGER tr_memories_delete',
  'DROP TABLE memory_words',
  'DROP TABLE memory_places',
];
// PostgreSQL rejects JSON with a lone surrogate; such content is indexed as raw text without its escapes. Addresses, paths and hyphenated
// words are split, as in ix_messages_words. The parser never makes a word with a colon, so no text contains a scope.
const POSTGRES = [
  `CREATE FUNCTION memory_words(content text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    DECLARE
      words text;
    BEGIN
      BEGIN
        words := replace(content, '\\u0000', '\\u0020')::json ->> 'text';
      EXCEPTION WHEN data_exception THEN
        words := regexp_replace(content, '\\\\(u[0-9a-f]{4}|.)', ' ', 'g');
      END;
      RETURN to_tsvector('simple', translate(left(coalesce(words, ''), ${SEARCHED}), './@:-_+&%#=~', '            '));
    END
  $$`,
  `CREATE FUNCTION memory_scopes(agent_id text, room_id text, entity_id text, type text, vouched boolean)
    RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT array_to_tsvector(CASE
        WHEN type IN ('documents', 'knowledge') THEN ARRAY['a:' || agent_id, 'o:documents']
        WHEN room_id = agent_id THEN ARRAY['a:' || agent_id, 'o:open']
        WHEN vouched THEN ARRAY['a:' || agent_id, 'r:' || room_id, 'v:' || room_id, 'u:' || entity_id]
        ELSE ARRAY['a:' || agent_id, 'r:' || room_id] END)
    $$`,
  `CREATE INDEX ix_memories_words ON memories
    USING gin ((memory_words(content) || memory_scopes(agent_id, room_id, entity_id, type, vouched)))`,
  // A fact is deleted with the first of its sources.
  `CREATE FUNCTION forget_fact() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM memories WHERE id = old.memory_id;
    RETURN NULL;
  END $$`,
  'CREATE TRIGGER tr_memory_sources_delete AFTER DELETE ON memory_sources FOR EACH ROW EXECUTE FUNCTION forget_fact()',
];
const POSTGRES_DOWN = [
  'DROP TRIGGER tr_memory_sources_delete ON memory_sources',
  'DROP FUNCTION forget_fact()',
  'DROP INDEX ix_memories_words',
  'DROP FUNCTION memory_scopes(text, text, text, text, boolean)',
  'DROP FUNCTION memory_words(text)',
];

/** What agents remember, with a full-text index of the memories. */
export class Memory1795824007000 implements MigrationInterface {
  name = 'Memory1795824007000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, TABLES, BY_TRIGGER);
    await runOn(runner, { sqlite: SQLITE, postgres: POSTGRES });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runOn(runner, { sqlite: SQLITE_DOWN, postgres: POSTGRES_DOWN });
    await dropTables(runner, TABLES, BY_TRIGGER);
  }
}
