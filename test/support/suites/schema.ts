import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions, type Engine } from '../../../src/core/database/index.js';
import { ENTITIES } from '../../../src/schema.js';
import { testConfig } from '../test-store.js';

/** Migrations and entities describe the same tables, and every migration can be taken back. */
export function describeSchema(engine: Engine): void {
  describe(`schema on ${engine}`, () => {
    let source: DataSource;
    let remove: () => Promise<void>;

    beforeAll(async () => {
      const test = await testConfig(engine);
      remove = test.remove;
      source = await new DataSource(
        dataSourceOptions({ databaseUrl: test.config.databaseUrl, poolSize: 2, entities: ENTITIES, access: 'write' }),
      ).initialize();
      await source.runMigrations();
    });
    afterAll(async () => {
      await source.destroy();
      await remove();
    });

    it('leaves TypeORM nothing to change after the migrations', async () => {
      const drift = await source.driver.createSchemaBuilder().log();
      expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
    });

    it('goes back to nothing and up again', async () => {
      for (let left = source.migrations.length; left > 0; left--) await source.undoLastMigration();
      await source.runMigrations();
      expect(await source.query('SELECT trimmed_to FROM journal_floor')).toHaveLength(1);
    });
  });
}
