import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type Page, type Row, type Statement, type Transaction } from '../../../core/database/index.js';
import type { ListPosition } from '../../../core/http/index.js';
import { idForAgent, mayBeNameDerived } from '../../../core/ids/index.js';
import { WorldRow } from '../entities/index.js';

const WORLDS = tableOf(WorldRow);
const toWorld = (row: Row): WorldRow => WORLDS.read(row);
const UPDATE = 'UPDATE worlds SET name = ?, metadata = ? WHERE id = ? AND agent_id = ?';
const NAMED = `SELECT ${WORLDS.columns} FROM worlds WHERE id = ? ORDER BY created_at, agent_id`;
const PAGE = 'FROM worlds w WHERE w.created_at >= ? AND (w.created_at > ? OR w.id > ?)';

@Injectable()
export class WorldsRepository {
  constructor(private readonly reader: Reader) {}

  /** Worlds of one agent or of all agents after a list position, oldest first. */
  async page(agentId: string | undefined, after: Required<ListPosition>, limit: number): Promise<Page<WorldRow>> {
    const { rows, ...page } = await this.reader.page({
      columns: WORLDS.columnsOf('w'),
      bytes: WORLDS.bytesOf('w'),
      from: agentId === undefined ? PAGE : `${PAGE} AND w.agent_id = ?`,
      params: [after.at, after.at, after.id, ...(agentId === undefined ? [] : [agentId])],
      order: 'w.created_at, w.id',
      limit,
    });
    return { ...page, rows: rows.map(toWorld) };
  }

  /**
   * Resolves a world id for an agent: its own world, otherwise another agent's world with this id. An id that may be derived from a
   * name resolves only to the world from which it is derived; worlds of other agents with that id stay private.
   */
  async find(agentId: string, id: string): Promise<WorldRow | undefined> {
    return resolveFor(agentId, (await this.reader.rows(NAMED, [id])).map(toWorld));
  }

  /** As `find`, in a transaction; on PostgreSQL the row stays locked until the transaction ends. */
  async findIn(tx: Transaction, agentId: string, id: string): Promise<WorldRow | undefined> {
    return resolveFor(agentId, (await tx.rows(`${NAMED} ${tx.locking('FOR UPDATE')}`, [id])).map(toWorld));
  }

  /** Has no effect when the world exists. */
  insert(row: WorldRow): Statement {
    return WORLDS.insert(row, 'ON CONFLICT (id, agent_id) DO NOTHING');
  }

  update({ id, agentId, name, metadata }: WorldRow): Statement {
    return { sql: UPDATE, params: [name, JSON.stringify(metadata), id, agentId] };
  }
}

function resolveFor(agentId: string, worlds: readonly WorldRow[]): WorldRow | undefined {
  return worlds.find((world) => world.agentId === agentId) ?? worlds.find((world) => !mayBeNameDerived(world.id) || hasDerivedId(world));
}

/** Whether the world's id is derived from its agent (contract 5.9): the default world, or the view of a message server. */
function hasDerivedId({ id, agentId, messageServerId }: WorldRow): boolean {
  return id === agentId || (messageServerId !== null && id === idForAgent(agentId, messageServerId));
}
