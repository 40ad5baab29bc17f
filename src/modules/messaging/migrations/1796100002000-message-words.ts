import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runOn } from '../../../core/database/create-tables.js';
import { addWordsTo, withoutWords } from '../../../core/search/index.js';

const SCOPE = `'c' || replace(new.channel_id, '-', '') || ' a' || replace(new.author_id, '-', '')`;
const triggers = (text: string, columns: string): string[] => [
  `CREATE TRIGGER tr_messages_insert AFTER INSERT ON messages BEGIN
    INSERT INTO message_words (rowid, content, scope) VALUES (new.pos, ${text}, ${SCOPE});
  END`,
  `CREATE TRIGGER tr_messages_update AFTER UPDATE OF ${columns} ON messages BEGIN
    UPDATE message_words SET content = ${text}, scope = ${SCOPE} WHERE rowid = new.pos;
  END`,
];
const DROP = ['DROP TRIGGER tr_messages_insert', 'DROP TRIGGER tr_messages_update'];
// The index of contents stays: it finds messages without words, which servers of the previous version still write.
const POSTGRES = [`CREATE INDEX ix_messages_indexed_words ON messages USING gin (to_tsvector('simple', words)) WHERE words IS NOT NULL`];

/** Messages are found by the words of their languages (see `indexedWords`). */
export class MessageWords1796100002000 implements MigrationInterface {
  name = 'MessageWords1796100002000';

  async up(runner: QueryRunner): Promise<void> {
    await addWordsTo(runner, 'messages');
    const sqlite = [...DROP, ...triggers('coalesce(new.words, new.content)', 'content, words, author_id')];
    await runOn(runner, { sqlite, postgres: POSTGRES });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runOn(runner, {
      sqlite: [...DROP, ...triggers('new.content', 'content, author_id')],
      postgres: ['DROP INDEX ix_messages_indexed_words'],
    });
    await withoutWords(runner, 'messages');
  }
}
