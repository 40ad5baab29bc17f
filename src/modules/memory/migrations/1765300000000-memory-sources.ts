import type { MigrationInterface, QueryRunner } from 'typeorm';
import { cascadingForeignKey, index, key, table } from '../../../core/database/table-builders.js';

const TABLE = table('memory_sources', [key('memory_id'), key('source_id')], {
  foreignKeys: [
    cascadingForeignKey('memory_sources', 'memory_id', 'memories'),
    cascadingForeignKey('memory_sources', 'source_id', 'memories'),
  ],
  indices: [index('ix_memory_sources_source', ['source_id'])],
});
const FACTS = index('ix_memories_facts', ['agent_id', 'entity_id'], { where: `"type" = 'facts'` });

const SQLITE = [
  `CREATE TRIGGER tr_memory_sources_delete AFTER DELETE ON memory_sources BEGIN
    DELETE FROM memories WHERE id = old.memory_id;
  END`,
];
const POSTGRES = [
  `CREATE FUNCTION forget_fact() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM memories WHERE id = old.memory_id;
    RETURN NULL;
  END $$`,
  'CREATE TRIGGER tr_memory_sources_delete AFTER DELETE ON memory_sources FOR EACH ROW EXECUTE FUNCTION forget_fact()',
];

/** The sources of facts about users. A fact is deleted with the first of its sources. */
export class MemorySources1765300000000 implements MigrationInterface {
  name = 'MemorySources1765300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
    await runner.createIndex('memories', FACTS.clone());
    for (const sql of runner.connection.options.type === 'postgres' ? POSTGRES : SQLITE) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('memories', FACTS.clone());
    await runner.dropTable(TABLE.name);
    if (runner.connection.options.type === 'postgres') await runner.query('DROP FUNCTION forget_fact()');
  }
}
