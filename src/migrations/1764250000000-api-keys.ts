import type { MigrationInterface, QueryRunner } from 'typeorm';
import { index, instant, integer, json, key, optional, primary, table, text, varchar } from '../core/database/table-builders.js';

const TABLES = [
  table(
    'api_keys',
    [
      key('id'),
      varchar('name'),
      varchar('hash', 64),
      varchar('scope', 8),
      json('agents', optional),
      instant('created_at'),
      instant('expires_at', optional),
      instant('revoked_at', optional),
      instant('last_used_at', optional),
    ],
    { indices: [index('ux_api_keys_hash', ['hash'], { isUnique: true })] },
  ),
  table('vault_check', [integer('id', primary), text('sealed')]),
];

export class ApiKeys1764250000000 implements MigrationInterface {
  name = 'ApiKeys1764250000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const definition of TABLES) await runner.createTable(definition.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const definition of [...TABLES].reverse()) await runner.dropTable(definition.name);
  }
}
