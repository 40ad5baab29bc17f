import { Injectable } from '@nestjs/common';
import { Reader, type Row, type SqlValue, type Statement, type Transaction } from '../../../core/database/index.js';
import type { ListPosition } from '../../../core/http/index.js';
import { WorldRow } from '../entities/index.js';

const INSERT = `INSERT INTO worlds (id, agent_id, name, source_type, source_id, message_server_id, metadata, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
const UPDATE = 'UPDATE worlds SET name = ?, metadata = ? WHERE id = ?';
const PAGE = 'SELECT * FROM worlds WHERE created_at >= ? AND (created_at > ? OR id > ?)';

@Injectable()
export class WorldsRepository {
  constructor(private readonly reader: Reader) {}

  /** Worlds behind a place, of one agent or of all, oldest first. */
  async page(agentId: string | undefined, after: Required<ListPosition>, limit: number): Promise<WorldRow[]> {
    const params: SqlValue[] = [after.at, after.at, after.id];
    const sql = agentId === undefined ? PAGE : `${PAGE} AND agent_id = ?`;
    return (
      await this.reader.rows(`${sql} ORDER BY created_at, id LIMIT ?`, [...params, ...(agentId === undefined ? [] : [agentId]), limit])
    ).map(toWorld);
  }

  async find(id: string): Promise<WorldRow | undefined> {
    const [row] = await this.reader.rows('SELECT * FROM worlds WHERE id = ?', [id]);
    return row && toWorld(row);
  }

  async name(id: string): Promise<string | undefined> {
    return (await this.reader.rows<{ name: string }>('SELECT name FROM worlds WHERE id = ?', [id]))[0]?.name;
  }

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

  update({ id, name, metadata }: WorldRow): Statement {
    return { sql: UPDATE, params: [name, JSON.stringify(metadata), id] };
  }
}

function toWorld(row: Row): WorldRow {
  return {
    id: row['id'] as string,
    agentId: row['agent_id'] as string,
    name: row['name'] as string,
    sourceType: row['source_type'] as string | null,
    sourceId: row['source_id'] as string | null,
    messageServerId: row['message_server_id'] as string | null,
    metadata: JSON.parse(row['metadata'] as string) as Record<string, unknown>,
    createdAt: Number(row['created_at']),
  };
}
