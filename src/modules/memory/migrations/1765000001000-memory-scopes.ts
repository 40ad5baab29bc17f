import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MemoryWords1764700000000 } from './1764700000000-memory-words.js';

// Maximum length of the indexed text, characters.
const SEARCHED = 32_000;

// As in MemoryWords; new are the scopes. Each memory has a term for its agent and terms for its scope: `documents`; `open` for facts of the
// agent itself; else `r` with the room, and for vouched memories also `v` with the room and `u` with the author, which other rooms
// search by.
const TEXT = `CASE WHEN json_valid(new.content) THEN substr(json_extract(replace(new.content, '\\u0000', '\\u0020'), '$.text'), 1, ${SEARCHED}) END`;
const bare = (column: string): string => `replace(${column}, '-', '')`;
const SCOPE = (row: string): string => `'a' || ${bare(`${row}.agent_id`)} || CASE
  WHEN ${row}.type IN ('documents', 'knowledge') THEN ' documents'
  WHEN ${row}.room_id = ${row}.agent_id THEN ' open'
  ELSE ' r' || ${bare(`${row}.room_id`)}
    || CASE WHEN ${row}.vouched THEN ' v' || ${bare(`${row}.room_id`)} || ' u' || ${bare(`${row}.entity_id`)} ELSE '' END END`;
const SQLITE = [
  'DROP TRIGGER tr_memories_insert',
  'DROP TRIGGER tr_memories_update',
  'DROP TRIGGER tr_memories_delete',
  'DROP TABLE memory_words',
  `CREATE VIRTUAL TABLE memory_words USING fts5(text, scope, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
  `INSERT INTO memory_words (rowid, text, scope)
    SELECT p.pos, ${TEXT.replaceAll('new.', 'm.')}, ${SCOPE('m')} FROM memory_places p JOIN memories m ON m.id = p.memory_id`,
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
];
const SQLITE_DOWN = [
  'DROP TRIGGER tr_memories_insert',
  'DROP TRIGGER tr_memories_update',
  'DROP TRIGGER tr_memories_delete',
  'DROP TABLE memory_words',
  'DROP TABLE memory_places',
];
// The parser never makes a word with a colon, so no text contains a scope.
const POSTGRES = [
  'DROP INDEX ix_memories_words',
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
];
const POSTGRES_DOWN = [
  'DROP INDEX ix_memories_words',
  'DROP FUNCTION memory_scopes(text, text, text, text, boolean)',
  'CREATE INDEX ix_memories_words ON memories USING gin (memory_words(content))',
];

/** The full-text index knows the author of a memory and whether it is vouched for. */
export class MemoryScopes1765000001000 implements MigrationInterface {
  name = 'MemoryScopes1765000001000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of runner.connection.options.type === 'postgres' ? POSTGRES : SQLITE) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.connection.options.type === 'postgres';
    for (const sql of isPostgres ? POSTGRES_DOWN : SQLITE_DOWN) await runner.query(sql);
    if (!isPostgres) await new MemoryWords1764700000000().up(runner);
  }
}
