import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UnitOfWork, type Statement, type Transaction } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import { Vault } from '../../core/vault/index.js';
import type { CharacterFile } from './character-files.js';
import type { CharacterSecrets } from './character.js';
import { AgentRow } from './entities/index.js';

// One statement decides and writes, so that processes which start together on one database agree. What was deleted here
// stays deleted until its file says something else.
const IMPORT = `INSERT INTO agents (id, name, status, "character", secrets, source_hash, created_at, updated_at)
  SELECT ?, ?, 'active', ?, ?, ?, ?, ?
  WHERE NOT EXISTS (SELECT 1 FROM deleted_agents WHERE id = ? AND source_hash = ?)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, "character" = excluded."character", secrets = excluded.secrets,
    source_hash = excluded.source_hash, updated_at = excluded.updated_at
  WHERE agents.source_hash IS DISTINCT FROM excluded.source_hash`;
const INSERT = `INSERT INTO agents (id, name, status, "character", secrets, source_hash, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
const UPDATE = `UPDATE agents SET name = ?, "character" = ?, secrets = ?, updated_at = ? WHERE id = ?`;
const SET_STATUS = 'UPDATE agents SET status = ?, updated_at = ? WHERE id = ? AND status <> ?';
const REMEMBER_DELETED = `INSERT INTO deleted_agents (id, source_hash, deleted_at) VALUES (?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET source_hash = excluded.source_hash, deleted_at = excluded.deleted_at`;

const SEAL = 'UPDATE agents SET secrets = ? WHERE id = ? AND updated_at = ?';
const PURPOSE = 'secrets of an agent';

/** The agents' rows. Their secrets are sealed in the database and nowhere else: rows are handed out and taken with them open. */
@Injectable()
export class AgentsRepository {
  constructor(
    @InjectRepository(AgentRow) private readonly rows: Repository<AgentRow>,
    private readonly unitOfWork: UnitOfWork,
    private readonly vault: Vault,
  ) {}

  async all(): Promise<AgentRow[]> {
    return (await this.rows.find()).map((row) => this.opened(row));
  }

  async find(id: string): Promise<AgentRow | null> {
    const row = await this.rows.findOneBy({ id });
    return row && this.opened(row);
  }

  /**
   * Seals what was written before secrets were sealed, or with the previous key.
   *
   * @returns why their old text may still be in unused parts of the database file; undefined when it is not
   */
  async sealAll(): Promise<Error | undefined> {
    const rows = (await this.rows.find()).filter(({ secrets }) => secrets && !(isSealed(secrets) && this.vault.isPresent(secrets)));
    return this.unitOfWork.overwrite(
      rows.map((row) => ({ sql: SEAL, params: [this.sealed(this.opened(row).secrets), row.id, row.updatedAt] })),
    );
  }

  /** Inside a unit; on PostgreSQL the row stays locked until it ends, though others may still refer to it. */
  async findIn(tx: Transaction, id: string): Promise<AgentRow | null> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ({ lock: { mode: 'for_no_key_update' } } as const) : {};
    const row = await tx.manager.findOne(AgentRow, { where: { id }, ...lock });
    return row && this.opened(row);
  }

  /** Ids and names of all agents, inside a unit. */
  namesIn(tx: Transaction): Promise<{ id: string; name: string }[]> {
    return tx.rows<{ id: string; name: string }>('SELECT id, name FROM agents ORDER BY id', []);
  }

  /**
   * Creates the agents that are new and updates those whose file changed since its last import; other processes hear of it.
   *
   * @returns the files that were taken
   */
  async import(files: readonly CharacterFile[], now: number): Promise<CharacterFile[]> {
    if (files.length === 0) return [];
    return this.unitOfWork.run('import characters', async (tx) => {
      const known = new Set((await tx.rows<{ id: string }>('SELECT id FROM agents', [])).map(({ id }) => id));
      const outcomes = await tx.apply(files.map((file) => this.importStatement(file, now)));
      const taken = files.filter((_, index) => outcomes[index]?.changed === 1);
      await tx.apply(
        taken.map(({ agentId, character: { name } }) =>
          append(known.has(agentId) ? 'agent.updated' : 'agent.created', null, { agentId, name }, now),
        ),
      );
      return taken;
    });
  }

  /** Changes nothing when there is an agent with this id. */
  insert(row: AgentRow, refuse: Statement['refuse']): Statement {
    const { id, name, status, character, secrets, sourceHash, createdAt, updatedAt } = row;
    return {
      sql: INSERT,
      params: [id, name, status, JSON.stringify(character), this.sealed(secrets), sourceHash, createdAt, updatedAt],
      refuse,
    };
  }

  update({ id, name, character, secrets, updatedAt }: AgentRow): Statement {
    return { sql: UPDATE, params: [name, JSON.stringify(character), this.sealed(secrets), updatedAt, id] };
  }

  setStatus(id: string, status: AgentRow['status'], now: number): Statement {
    return { sql: SET_STATUS, params: [status, now, id, status] };
  }

  /** Deletes an agent; an agent that a file defines does not come back with the next start. */
  delete({ id, sourceHash }: AgentRow, now: number): Statement[] {
    return [
      ...(sourceHash === null ? [] : [{ sql: REMEMBER_DELETED, params: [id, sourceHash, now] }]),
      { sql: 'DELETE FROM agents WHERE id = ?', params: [id] },
    ];
  }

  private importStatement({ agentId, character, secrets, hash }: CharacterFile, now: number): Statement {
    const params = [agentId, character.name, JSON.stringify(character), this.sealed(secrets), hash, now, now, agentId, hash];
    return { sql: IMPORT, params, counted: true };
  }

  private sealed(secrets: CharacterSecrets | null): string | null {
    return secrets && JSON.stringify(this.vault.seal(PURPOSE, JSON.stringify(secrets)));
  }

  private opened(row: AgentRow): AgentRow {
    const { secrets } = row;
    return isSealed(secrets) ? { ...row, secrets: JSON.parse(this.vault.open(PURPOSE, secrets)) as CharacterSecrets } : row;
  }
}

/** As the column has them: a sealed text, where the entity says what is in it. */
function isSealed(secrets: unknown): secrets is string {
  return typeof secrets === 'string' && Vault.isSealed(secrets);
}
