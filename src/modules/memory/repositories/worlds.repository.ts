import { Injectable } from '@nestjs/common';
import { Reader, type Row, type SqlValue, type Statement, type Transaction } from '../../../core/database/index.js';
import type { ListPosition } from '../../../core/http/index.js';
import { idForAgent, mayFollowFromName } from '../../../core/ids/index.js';
import type { WorldRow } from '../entities/index.js';

const INSERT = `INSERT INTO worlds (id, agent_id, name, source_type, source_id, message_server_id, metadata, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id, agent_id) DO NOTHING`;
const UPDATE = 'UPDATE worlds SET name = ?, metadata = ? WHERE id = ? AND agent_id = ?';
const NAMED = 'SELECT * FROM worlds WHERE id = ? ORDER BY created_at, agent_id';
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

  /**
   * The world that an id means to an agent: its own, or else the one that another agent has under it. Under an id that may follow from a name
   * that is the agent whose world has it by right; what others have there is theirs alone.
   */
  async find(agentId: string, id: string): Promise<WorldRow | undefined> {
    return meantBy(agentId, (await this.reader.rows(NAMED, [id])).map(toWorld));
  }

  /** As `find`, inside a unit; on PostgreSQL the row stays locked until it ends. */
  async findIn(tx: Transaction, agentId: string, id: string): Promise<WorldRow | undefined> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ' FOR UPDATE' : '';
    return meantBy(agentId, (await tx.rows<Row>(NAMED + lock, [id])).map(toWorld));
  }

  /** Leaves a world alone that exists already. */
  insert(row: WorldRow): Statement {
    const { id, agentId, name, sourceType, sourceId, messageServerId, metadata, createdAt } = row;
    return { sql: INSERT, params: [id, agentId, name, sourceType, sourceId, messageServerId, JSON.stringify(metadata), createdAt] };
  }

  update({ id, agentId, name, metadata }: WorldRow): Statement {
    return { sql: UPDATE, params: [name, JSON.stringify(metadata), id, agentId] };
  }
}

function meantBy(agentId: string, worlds: readonly WorldRow[]): WorldRow | undefined {
  return worlds.find((world) => world.agentId === agentId) ?? worlds.find((world) => !mayFollowFromName(world.id) || isByRight(world));
}

/** Whether the world's id follows from its agent (contract 5.9): the agent's own, or its view of a message server. */
function isByRight({ id, agentId, messageServerId }: WorldRow): boolean {
  return id === agentId || (messageServerId !== null && id === idForAgent(agentId, messageServerId));
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
