import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import {
  cascadingForeignKey,
  id,
  index,
  instant,
  integer,
  key,
  optional,
  table,
  text,
  varchar,
} from '../../../core/database/table-builders.js';

const TABLES = [
  table(
    'documents',
    [
      key('id'),
      id('agent_id'),
      varchar('name'),
      varchar('source', 16),
      text('location', optional),
      varchar('media_type', 100, optional),
      instant('size', optional),
      varchar('hash', 64, optional),
      varchar('ingested_hash', 64, optional),
      varchar('status', 16),
      integer('attempts'),
      instant('due_at', optional),
      id('lease_owner', optional),
      text('error', optional),
      integer('done'),
      integer('total'),
      instant('created_at'),
      instant('updated_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('documents', 'agent_id', 'agents')],
      indices: [
        index('ix_documents_agent', ['agent_id', 'created_at', 'id']),
        index('ix_documents_due', ['due_at'], { where: `"status" IN ('pending', 'running')` }),
        index('ix_documents_hash', ['hash']),
      ],
    },
  ),
  table('document_pieces', [key('memory_id'), id('document_id'), integer('position'), text('heading'), integer('page', optional)], {
    foreignKeys: [
      cascadingForeignKey('document_pieces', 'memory_id', 'memories'),
      cascadingForeignKey('document_pieces', 'document_id', 'documents'),
    ],
    indices: [index('ix_document_pieces_place', ['document_id', 'position', 'memory_id'])],
  }),
];

/** Documents of agents, and the places of their pieces. */
export class Knowledge1795824008000 implements MigrationInterface {
  name = 'Knowledge1795824008000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
