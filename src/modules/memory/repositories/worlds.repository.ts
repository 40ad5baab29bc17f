import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '../../../core/database/index.js';
import { WorldRow } from '../entities/index.js';

const INSERT = `INSERT INTO worlds (id, agent_id, name, source_type, source_id, message_server_id, metadata, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
const UPDATE_METADATA = 'UPDATE worlds SET metadata = ? WHERE id = ?';

@Injectable()
export class WorldsRepository {
  /** Inside a unit; on PostgreSQL the row stays locked until it ends. */
  findIn(tx: Transaction, id: string): Promise<WorldRow | null> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ({ lock: { mode: 'pessimistic_write' } } as const) : {};
    return tx.manager.findOne(WorldRow, { where: { id }, ...lock });
  }

  /** Leaves a world alone that exists already. */
  insert(row: WorldRow): Statement {
    const { id, agentId, name, sourceType, sourceId, messageServerId, metadata, createdAt } = row;
    return { sql: INSERT, params: [id, agentId, name, sourceType, sourceId, messageServerId, JSON.stringify(metadata), createdAt] };
  }

  updateMetadata(id: string, metadata: Record<string, unknown>): Statement {
    return { sql: UPDATE_METADATA, params: [JSON.stringify(metadata), id] };
  }
}
