import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { idKeys, Reader, type Statement } from '../../../core/database/index.js';
import { keysetPages, type ListPosition } from '../../../core/http/index.js';
import { MessageServerAgentRow, MessageServerRow } from '../entities/index.js';

const INSERT = `INSERT INTO message_servers (id, name, source_type, source_id, metadata, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
const ADD_AGENT = `INSERT INTO message_server_agents (server_id, agent_id, joined_at, left_at) VALUES (?, ?, ?, NULL)
  ON CONFLICT (server_id, agent_id) DO UPDATE SET left_at = NULL`;
const REMOVE_AGENT = `INSERT INTO message_server_agents (server_id, agent_id, joined_at, left_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (server_id, agent_id) DO UPDATE SET left_at = excluded.left_at`;

const AGENTS_OF = `SELECT server_id, agent_id FROM message_server_agents
  WHERE left_at IS NULL AND server_id IN (SELECT key FROM json_each(?)) ORDER BY joined_at, agent_id`;
const READ_AT_ONCE = 100;

/** Which message servers: all of them without a limit. */
export interface ServerPage {
  readonly limit?: number;
  readonly after?: Required<ListPosition>;
}

/** Reads message servers and which agents belong to them, and words the statements that write them. */
@Injectable()
export class ServersRepository {
  constructor(
    @InjectRepository(MessageServerRow) private readonly servers: Repository<MessageServerRow>,
    @InjectRepository(MessageServerAgentRow) private readonly agents: Repository<MessageServerAgentRow>,
    private readonly reader: Reader,
  ) {}

  find(id: string): Promise<MessageServerRow | null> {
    return this.servers.findOneBy({ id });
  }

  /** All of them in the order of their creation, behind a place, page by page. */
  pages(after?: Required<ListPosition>): AsyncIterable<readonly MessageServerRow[]> {
    return keysetPages<MessageServerRow>(READ_AT_ONCE, (last) => {
      const query = this.servers.createQueryBuilder('s');
      const place = last ? { at: last.createdAt, id: last.id } : after;
      if (place) query.where('(s.created_at, s.id) > (:at, :id)', place);
      return query.orderBy('s.created_at').addOrderBy('s.id').limit(READ_AT_ONCE).getMany();
    });
  }

  count(): Promise<number> {
    return this.servers.count();
  }

  /** Agents that belong to servers, in the order in which they joined, by server. */
  async agentsOfAll(serverIds: readonly string[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>(serverIds.map((id) => [id, []]));
    const rows = await this.reader.rows<{ server_id: string; agent_id: string }>(AGENTS_OF, [idKeys(serverIds)]);
    for (const row of rows) found.get(row.server_id)?.push(row.agent_id);
    return found;
  }

  /** Agents that have joined the server, in that order; also those that have left it since. */
  agentsOf(serverId: string): Promise<MessageServerAgentRow[]> {
    return this.agents.find({ where: { serverId }, order: { joinedAt: 'ASC', agentId: 'ASC' } });
  }

  /** Servers that the agent has joined, in that order. */
  joinedBy(agentId: string): Promise<MessageServerAgentRow[]> {
    return this.agents.find({ where: { agentId, leftAt: IsNull() }, order: { joinedAt: 'ASC', serverId: 'ASC' } });
  }

  async hasLeft(serverId: string, agentId: string): Promise<boolean> {
    const row = await this.agents.findOneBy({ serverId, agentId });
    return row !== null && row.leftAt !== null;
  }

  insert(row: MessageServerRow): Statement {
    const { id, name, sourceType, sourceId, metadata, createdAt, updatedAt } = row;
    return { sql: INSERT, params: [id, name, sourceType, sourceId, JSON.stringify(metadata), createdAt, updatedAt] };
  }

  delete(id: string, refuse: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM message_servers WHERE id = ?', params: [id], refuse };
  }

  addAgent(serverId: string, agentId: string, at: number): Statement {
    return { sql: ADD_AGENT, params: [serverId, agentId, at] };
  }

  removeAgent(serverId: string, agentId: string, at: number): Statement {
    return { sql: REMOVE_AGENT, params: [serverId, agentId, at, at] };
  }
}
