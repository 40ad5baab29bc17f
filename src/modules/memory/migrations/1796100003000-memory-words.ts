import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runOn } from '../../../core/database/create-tables.js';
import { addWordsTo, withoutWords } from '../../../core/search/index.js';
import { SCOPE, TEXT } from './1795824007000-memory.js';

const triggers = (text: string, columns: string): string[] => [
  `CREATE TRIGGER tr_memories_insert AFTER INSERT ON memories BEGIN
    INSERT INTO memory_places (memory_id) VALUES (new.id);
    INSERT INTO memory_words (rowid, text, scope) VALUES (last_insert_rowid(), ${text}, ${SCOPE('new')});
  END`,
  `CREATE TRIGGER tr_memories_update AFTER UPDATE OF ${columns} ON memories BEGIN
    UPDATE memory_words SET text = ${text}, scope = ${SCOPE('new')}
      WHERE rowid = (SELECT pos FROM memory_places WHERE memory_id = new.id);
  END`,
];
const DROP = ['DROP TRIGGER tr_memories_insert', 'DROP TRIGGER tr_memories_update'];
// The index of contents stays: it finds memories without words, which servers of the previous version still write.
const POSTGRES = [
  `CREATE INDEX ix_memories_indexed_words ON memories
    USING gin ((to_tsvector('simple', words) || memory_scopes(agent_id, room_id, entity_id, type, vouched))) WHERE words IS NOT NULL`,
];

/** Memories are found by the words of their languages (see `indexedWords`). */
export class MemoryWords1796100003000 implements MigrationInterface {
  name = 'MemoryWords1796100003000';

  async up(runner: QueryRunner): Promise<void> {
    await addWordsTo(runner, 'memories');
    const sqlite = [...DROP, ...triggers(`coalesce(new.words, ${TEXT})`, 'content, words, vouched')];
    await runOn(runner, { sqlite, postgres: POSTGRES });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runOn(runner, { sqlite: [...DROP, ...triggers(TEXT, 'content, vouched')], postgres: ['DROP INDEX ix_memories_indexed_words'] });
    await withoutWords(runner, 'memories');
  }
}
