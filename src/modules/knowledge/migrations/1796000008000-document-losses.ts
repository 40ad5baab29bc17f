import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { optional, text, varchar } from '../../../core/database/table-builders.js';

const COLUMNS = [varchar('charset', 40, optional), text('losses', optional)];

/** The charset of documents that are texts, and what their reader could not read. */
export class DocumentLosses1796000008000 implements MigrationInterface {
  name = 'DocumentLosses1796000008000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns(
      'documents',
      COLUMNS.map((column) => new TableColumn(column)),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns(
      'documents',
      COLUMNS.map(({ name }) => name),
    );
  }
}
