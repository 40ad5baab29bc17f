import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions, type Engine } from '../../../src/core/database/index.js';
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

    it('gives a room that shared another agent\u2019s id to both of them', async () => {
      while ((await source.query(`SELECT 1 FROM migrations WHERE name LIKE 'RoomsByAgent%'`)).length > 0) await source.undoLastMigration();
      const [room, channel, ...rest] = Array.from({ length: 6 }, (_, index) => `00000000-0000-0000-0000-00000000000${index + 1}`);
      const [thief, owner, world, user] = rest;
      const rows: [table: string, row: Record<string, string | number | null>][] = [
        ...[thief, owner].map((id): [string, Record<string, string | number | null>] => [
          'agents',
          { id: id ?? '', name: 'x', status: 'active', character: '{}', created_at: 1, updated_at: 1 },
        ]),
        ['message_servers', { id: world ?? '', name: 'x', source_type: 'x', metadata: '{}', created_at: 1, updated_at: 1 }],
        [
          'channels',
          {
            ...{ id: channel ?? '', server_id: world ?? '', name: 'Lobby', type: 'GROUP', channel_type: 'GROUP', metadata: '{}' },
            ...{ turn_policy: 'enqueue', created_at: 1, updated_at: 1 },
          },
        ],
        [
          'rooms',
          {
            ...{ id: room ?? '', agent_id: thief ?? '', name: 'Taken', source: 'client', type: 'DM', channel_id: channel ?? '' },
            ...{ metadata: '{"a":1}', remembered_seq: 7, created_at: 1 },
          },
        ],
        ['participants', { room_id: room ?? '', entity_id: thief ?? '', agent_id: thief ?? '', created_at: 1 }],
        ['participants', { room_id: room ?? '', entity_id: user ?? '', agent_id: owner ?? '', created_at: 2 }],
        ['participants', { room_id: room ?? '', entity_id: owner ?? '', agent_id: owner ?? '', created_at: 2 }],
      ];
      const literal = (value: string | number | null): string => (typeof value === 'string' ? `'${value}'` : String(value));
      for (const [table, row] of rows) {
        const values = Object.values(row).map(literal).join(', ');
        await source.query(
          `INSERT INTO ${table} (${Object.keys(row)
            .map((name) => `"${name}"`)
            .join(', ')}) VALUES (${values})`,
        );
      }
      await source.runMigrations();
      const columns = 'agent_id, name, channel_id, remembered_seq, metadata, updated_at';
      const found = await source.query<Record<string, unknown>[]>(`SELECT ${columns} FROM rooms ORDER BY agent_id`);
      expect(found.map((row) => ({ ...row, remembered_seq: Number(row['remembered_seq']) }))).toEqual([
        { agent_id: thief, name: 'Taken', channel_id: null, remembered_seq: 0, metadata: '{"a":1}', updated_at: null },
        { agent_id: owner, name: 'Lobby', channel_id: channel, remembered_seq: 7, metadata: '{}', updated_at: null },
      ]);
      expect(await source.query('SELECT agent_id, entity_id FROM participants ORDER BY agent_id, entity_id')).toEqual([
        { agent_id: thief, entity_id: thief },
        { agent_id: owner, entity_id: owner },
        { agent_id: owner, entity_id: user },
      ]);
    });

    it('can be reverted completely and migrated again', async () => {
      for (let left = source.migrations.length; left > 0; left--) await source.undoLastMigration();
      await source.runMigrations();
      expect(await source.query('SELECT trimmed_to FROM journal_floor')).toHaveLength(1);
    });
  });
}
