import type { MigrationInterface, QueryRunner } from 'typeorm';

// Maximum length of the indexed text, characters.
const SEARCHED = 32_000;

// A NUL becomes a space: SQLite would end the text there, and PostgreSQL rejects its escape.
// memory_places assigns each memory a stable integer for the rowid of its index entry. Agent and room are terms of a separate column, so
// that a search within a few rooms does not read the matches of others. The index stores terms only, not the text.
const TEXT = `CASE WHEN json_valid(new.content) THEN substr(json_extract(replace(new.content, '\\u0000', '\\u0020'), '$.text'), 1, ${SEARCHED}) END`;
const SCOPE = (row: string): string => `'a' || replace(${row}.agent_id, '-', '') ||
  CASE WHEN ${row}.room_id = ${row}.agent_id OR ${row}.type IN ('documents', 'knowledge') THEN ' open' ELSE ' r' || replace(${row}.room_id, '-', '') END`;
const SQLITE = [
  'CREATE TABLE memory_places (pos INTEGER PRIMARY KEY, memory_id varchar(36) NOT NULL UNIQUE)',
  `CREATE VIRTUAL TABLE memory_words USING fts5(text, scope, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
  'INSERT INTO memory_places (memory_id) SELECT id FROM memories ORDER BY created_at, id',
  `INSERT INTO memory_words (rowid, text, scope)
    SELECT p.pos, ${TEXT.replaceAll('new.', 'm.')}, ${SCOPE('m')} FROM memory_places p JOIN memories m ON m.id = p.memory_id`,
  `CREATE TRIGGER tr_memories_insert AFTER INSERT ON memories BEGIN
    INSERT INTO memory_places (memory_id) VALUES (new.id);
    INSERT INTO memory_words (rowid, text, scope) VALUES (last_insert_rowid(), ${TEXT}, ${SCOPE('new')});
  END`,
  `CREATE TRIGGER tr_memories_update AFTER UPDATE OF content ON memories BEGIN
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
// PostgreSQL rejects JSON with a lone surrogate; such content is indexed as raw text without its escapes. Addresses, paths and hyphenated
// words are split, as in ix_messages_words.
const POSTGRES = [
  `CREATE OR REPLACE FUNCTION memory_words(content text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
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
  'CREATE INDEX ix_memories_words ON memories USING gin (memory_words(content))',
];
const POSTGRES_DOWN = ['DROP INDEX ix_memories_words', 'DROP FUNCTION memory_words(text)'];

/** Full-text index over all memories. */
export class MemoryWords1764700000000 implements MigrationInterface {
  name = 'MemoryWords1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of runner.connection.options.type === 'postgres' ? POSTGRES : SQLITE) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const sql of runner.connection.options.type === 'postgres' ? POSTGRES_DOWN : SQLITE_DOWN) await runner.query(sql);
  }
}
