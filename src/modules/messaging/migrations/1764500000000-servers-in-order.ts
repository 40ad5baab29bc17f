import type { MigrationInterface, QueryRunner } from 'typeorm';
import { index } from '../../../core/database/table-builders.js';

const IN_ORDER = index('ix_message_servers_created', ['created_at', 'id']);

/** Index for listing message servers in order of creation, page by page. */
export class ServersInOrder1764500000000 implements MigrationInterface {
  name = 'ServersInOrder1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createIndex('message_servers', IN_ORDER.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('message_servers', IN_ORDER.clone());
  }
}
