import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import { cascadingForeignKey, flag, id, index, instant, key, table } from '../../../core/database/table-builders.js';

const TABLES = [
  table(
    'protocol_requests',
    [key('message_id'), id('channel_id'), id('follows'), id('caller'), id('chain'), id('body'), flag('forgets'), instant('created_at')],
    {
      foreignKeys: [cascadingForeignKey('protocol_requests', 'message_id', 'messages')],
      indices: [
        index('uq_protocol_requests_follows', ['channel_id', 'follows'], { isUnique: true }),
        index('ix_protocol_requests_chain', ['chain']),
        index('ix_protocol_requests_body', ['body', 'created_at']),
        index('ix_protocol_requests_forgets', ['created_at'], { where: '"forgets"' }),
      ],
    },
  ),
];

/** By what resent conversations and repeated requests are recognised. */
export class Protocols1796200002000 implements MigrationInterface {
  name = 'Protocols1796200002000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
