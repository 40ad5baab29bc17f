import { Injectable } from '@nestjs/common';
import { idKeys, Reader, tableOf, type SqlValue, type Statement } from '../../../core/database/index.js';
import { keysetPages, type ListPosition } from '../../../core/http/index.js';
import { MessageServerAgentRow, MessageServerRow } from '../entities/index.js';

const SERVERS = tableOf(MessageServerRow);
const MEMBERS = tableOf(MessageServerAgentRow);
const JOIN_OR_LEAVE = 'ON CONFLICT (server_id, agent_id) DO UPDATE SET left_at = excluded.left_at';
const SELECT = `SELECT ${SERVERS.columns} FROM message_servers`;
const MEMBER = `SELECT ${MEMBERS.columns} FROM message_server_agents`;

const AGENTS_OF = `SELECT server_id, agent_id FROM message_server_agents
  WHERE left_at IS NULL AND server_id IN (SELECT key FROM json_each(?)) ORDER BY joined_at, agent_id`;
const BATCH_SIZE = 100;

/** Paging of message servers; all of them without a limit. */
export interface ServerPage {
  readonly limit?: number;
  readonly after?: Required<ListPosition>;
}

/** Reads message servers and their agents, and builds the statements that write them. */
@Injectable()
export class ServersRepository {
  constructor(private readonly reader: Reader) {}

  async find(id: string): Promise<MessageServerRow | undefined> {
    const [row] = await this.reader.rows(`${SELECT} WHERE id = ?`, [id]);
    return row && SERVERS.read(row);
  }

  /** Message servers after a list position, in the order of their creation, page by page. */
  pages(after?: Required<ListPosition>): AsyncIterable<readonly MessageServerRow[]> {
    return keysetPages<MessageServerRow>(async (last) => {
      const { at, id } = last ? { at: last.createdAt, id: last.id } : (after ?? { at: -1, id: '' });
      const { rows, more } = await this.reader.page({
        columns: SERVERS.columnsOf('s'),
        bytes: SERVERS.bytesOf('s'),
        from: 'FROM message_servers s WHERE (s.created_at, s.id) > (?, ?)',
        params: [at, id],
        order: 's.created_at, s.id',
        limit: BATCH_SIZE,
      });
      return { rows: rows.map((row) => SERVERS.read(row)), more };
    });
  }

  async count(): Promise<number> {
    const [row] = await this.reader.rows<{ n: number | string }>('SELECT count(*) AS n FROM message_servers');
    return Number(row?.n ?? 0);
  }

  /** Agent ids by server, in joining order. */
  async agentsOfAll(serverIds: readonly string[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>(serverIds.map((id) => [id, []]));
    const rows = await this.reader.rows<{ server_id: string; agent_id: string }>(AGENTS_OF, [idKeys(serverIds)]);
    for (const row of rows) found.get(row.server_id)?.push(row.agent_id);
    return found;
  }

  /** Memberships of a server in joining order, including agents that have left. */
  agentsOf(serverId: string): Promise<MessageServerAgentRow[]> {
    return this.members('server_id = ? ORDER BY joined_at, agent_id', [serverId]);
  }

  /** Memberships of an agent in joining order, without servers that it has left. */
  joinedBy(agentId: string): Promise<MessageServerAgentRow[]> {
    return this.members('agent_id = ? AND left_at IS NULL ORDER BY joined_at, server_id', [agentId]);
  }

  async hasLeft(serverId: string, agentId: string): Promise<boolean> {
    const [row] = await this.members('server_id = ? AND agent_id = ?', [serverId, agentId]);
    return row !== undefined && row.leftAt !== null;
  }

  insert(row: MessageServerRow): Statement {
    return SERVERS.insert(row, 'ON CONFLICT (id) DO NOTHING');
  }

  delete(id: string, refuse: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM message_servers WHERE id = ?', params: [id], refuse };
  }

  addAgent(serverId: string, agentId: string, at: number): Statement {
    return MEMBERS.insert({ serverId, agentId, joinedAt: at, leftAt: null }, JOIN_OR_LEAVE);
  }

  removeAgent(serverId: string, agentId: string, at: number): Statement {
    return MEMBERS.insert({ serverId, agentId, joinedAt: at, leftAt: at }, JOIN_OR_LEAVE);
  }

  private async members(where: string, params: SqlValue[]): Promise<MessageServerAgentRow[]> {
    return (await this.reader.rows(`${MEMBER} WHERE ${where}`, params)).map((row) => MEMBERS.read(row));
  }
}
