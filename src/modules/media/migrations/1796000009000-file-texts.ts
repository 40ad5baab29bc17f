import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import {
  cascadingForeignKey,
  id,
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

const TABLES = [
  table('file_readings', [key('media_id'), text('problem', optional), varchar('fault', 40, optional), json('losses'), instant('read_at')], {
    foreignKeys: [cascadingForeignKey('file_readings', 'media_id', 'media_files')],
  }),
  table('file_texts', [id('media_id', primary), integer('position', primary), json('pieces')], {
    foreignKeys: [cascadingForeignKey('file_texts', 'media_id', 'media_files')],
  }),
];

/** The texts of files in conversations. */
export class FileTexts1796000009000 implements MigrationInterface {
  name = 'FileTexts1796000009000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
