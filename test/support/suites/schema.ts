import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions, type Contraction, type Engine } from '../../../src/core/database/index.js';
import { isOlder } from '../../../src/core/database/versions.js';
import { SCHEMA } from '../../../src/app.module.js';
import { testConfig } from '../test-store.js';

const TRIGGERS = [
  'fk_agent_logs_agent_id',
  'fk_memories_agent_id',
  'fk_messages_channel_id',
  'fk_turn_steps_turn',
  'fk_turns_channel_id',
  'fk_turns_message_id',
];

/** Migrations and entities describe the same tables, and every migration can be taken back. */
export function describeSchema(engine: Engine): void {
  describe(`schema on ${engine}`, () => {
    let source: DataSource;
    let remove: () => Promise<void>;

    beforeAll(async () => {
      const test = await testConfig(engine);
      remove = test.remove;
      source = await new DataSource(
        dataSourceOptions({ databaseUrl: test.config.databaseUrl, poolSize: 2, schema: SCHEMA, access: 'write' }),
      ).initialize();
      await source.runMigrations();
    });
    afterAll(async () => {
      await source.destroy();
      await remove();
    });

    it('matches the entities of TypeORM after the migrations', async () => {
      const drift = await source.driver.createSchemaBuilder().log();
      // PostgreSQL has triggers in place of these foreign keys.
      const replaced = engine === 'postgres' ? TRIGGERS : [];
      expect(drift.upQueries.map(({ query }) => /ADD CONSTRAINT "(\w+)" FOREIGN KEY/.exec(query)?.[1] ?? query).sort()).toEqual(replaced);
    });

    it('has no contraction of a later release than this one', async () => {
      const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string };
      const releases = source.migrations.flatMap((migration) => (migration as Partial<Contraction>).since ?? []);
      expect(releases.filter((since) => isOlder(version, since))).toEqual([]);
    });

    it('can be reverted completely and migrated again', async () => {
      for (let left = source.migrations.length; left > 0; left--) await source.undoLastMigration();
      await source.runMigrations();
      expect(await source.query('SELECT trimmed_to FROM journal_floor')).toHaveLength(1);
    });
  });
}
