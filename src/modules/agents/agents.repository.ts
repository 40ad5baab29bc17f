import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Reader, tableOf, UnitOfWork, type Statement, type Transaction } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import { Vault } from '../../core/vault/index.js';
import type { CharacterFile } from './character-files.js';
import type { CharacterSecrets } from './character.js';
import { AgentRow } from './entities/index.js';

// A single statement, so that processes that start together agree. A deleted agent is imported again only if its file has changed.
const IMPORT = `INSERT INTO agents (id, name, status, "character", secrets, source_hash, created_at, updated_at)
  SELECT ?, ?, 'active', ?, ?, ?, ?, ?
  WHERE NOT EXISTS (SELECT 1 FROM deleted_agents WHERE id = ? AND source_hash = ?)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, "character" = excluded."character", secrets = excluded.secrets,
    source_hash = excluded.source_hash, updated_at = excluded.updated_at
  WHERE agents.source_hash IS DISTINCT FROM excluded.source_hash`;
const AGENTS = tableOf(AgentRow);
const SELECT = `SELECT ${AGENTS.columns} FROM agents`;
const CHANGED = AGENTS.pick('name', 'character', 'secrets', 'updatedAt');
const UPDATE = `UPDATE agents SET ${CHANGED.assignments} WHERE id = ?`;
const SET_STATUS = 'UPDATE agents SET status = ?, updated_at = ? WHERE id = ? AND status <> ?';
const RECORD_DELETED = `INSERT INTO deleted_agents (id, source_hash, deleted_at) VALUES (?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET source_hash = excluded.source_hash, deleted_at = excluded.deleted_at`;

const SEAL = 'UPDATE agents SET secrets = ? WHERE id = ? AND updated_at = ?';
const PURPOSE = 'secrets of an agent';

/** Reads and writes agents. Secrets are encrypted in the database only: callers pass and receive plain rows. */
@Injectable()
export class AgentsRepository {
  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
    private readonly vault: Vault,
  ) {}

  async all(): Promise<AgentRow[]> {
    return (await this.reader.rows(SELECT)).map((row) => this.unsealedRow(AGENTS.read(row)));
  }

  async find(id: string): Promise<AgentRow | undefined> {
    const [row] = await this.reader.rows(`${SELECT} WHERE id = ?`, [id]);
    return row && this.unsealedRow(AGENTS.read(row));
  }

  /**
   * Encrypts secrets that are stored with the previous key.
   *
   * @returns why the previous values may still be in free pages of the database file; undefined if they were cleared
   */
  async sealAll(): Promise<Error | undefined> {
    const rows = (await this.reader.rows(SELECT)).map((row) => AGENTS.read(row));
    const open = rows.filter(({ secrets }) => secrets !== null && !this.vault.usesCurrentKey(asSealed(secrets)));
    return this.unitOfWork.commitAndErase(
      open.map((row) => ({ sql: SEAL, params: [this.seal(this.unsealedRow(row).secrets), row.id, row.updatedAt] })),
    );
  }

  /** Reads in a transaction; on PostgreSQL the row stays locked against updates until the transaction ends. */
  async findIn(tx: Transaction, id: string): Promise<AgentRow | undefined> {
    const [row] = await tx.rows(`${SELECT} WHERE id = ? ${tx.locking('FOR NO KEY UPDATE')}`, [id]);
    return row && this.unsealedRow(AGENTS.read(row));
  }

  /** Ids and names of all agents, read in a transaction. */
  namesIn(tx: Transaction): Promise<{ id: string; name: string }[]> {
    return tx.rows<{ id: string; name: string }>('SELECT id, name FROM agents ORDER BY id', []);
  }

  /**
   * Creates new agents and updates those whose file has changed since its last import. The journal notifies other processes.
   *
   * @param created statements that follow the creation of an agent
   * @returns the imported files
   */
  async import(
    files: readonly CharacterFile[],
    now: number,
    created: (agentId: string) => readonly Statement[] = () => [],
  ): Promise<CharacterFile[]> {
    if (files.length === 0) return [];
    return this.unitOfWork.run('import characters', async (tx) => {
      const known = new Set((await tx.rows<{ id: string }>('SELECT id FROM agents', [])).map(({ id }) => id));
      const outcomes = await tx.apply(files.map((file) => this.importStatement(file, now)));
      const imported = files.filter((_, index) => outcomes[index]?.changed === 1);
      await tx.apply(
        imported.flatMap(({ agentId, character: { name } }) => {
          const action = known.has(agentId) ? 'agent.updated' : 'agent.created';
          const summary = `Imported the agent ${name} from its character file.`;
          return [
            append(action, null, { agentId, name }, now),
            ...(known.has(agentId) ? [] : created(agentId)),
            auditEntry(action, { target: ['agent', agentId], agentId, summary }, now),
          ];
        }),
      );
      return imported;
    });
  }

  /** Has no effect when an agent with this id exists. */
  insert(row: AgentRow, refuse: Statement['refuse']): Statement {
    return { ...AGENTS.insert(this.sealedRow(row), 'ON CONFLICT (id) DO NOTHING'), refuse };
  }

  update(row: AgentRow): Statement {
    return { sql: UPDATE, params: [...CHANGED.params(this.sealedRow(row)), row.id] };
  }

  setStatus(id: string, status: AgentRow['status'], now: number): Statement {
    return { sql: SET_STATUS, params: [status, now, id, status] };
  }

  /** Deletes an agent; the next start does not import it again from an unchanged file. */
  delete({ id, sourceHash }: AgentRow, now: number): Statement[] {
    return [
      ...(sourceHash === null ? [] : [{ sql: RECORD_DELETED, params: [id, sourceHash, now] }]),
      { sql: 'DELETE FROM agents WHERE id = ?', params: [id] },
    ];
  }

  private importStatement({ agentId, character, secrets, hash }: CharacterFile, now: number): Statement {
    const params = [agentId, character.name, JSON.stringify(character), this.seal(secrets), hash, now, now, agentId, hash];
    return { sql: IMPORT, params, counted: true };
  }

  private seal(secrets: CharacterSecrets | null): string | null {
    return secrets && JSON.stringify(this.vault.seal(PURPOSE, JSON.stringify(secrets)));
  }

  /** The row with encrypted secrets: a text, although the entity declares the decrypted type. */
  private sealedRow(row: AgentRow): AgentRow {
    const { secrets } = row;
    return { ...row, secrets: secrets && (this.vault.seal(PURPOSE, JSON.stringify(secrets)) as CharacterSecrets & string) };
  }

  private unsealedRow(row: AgentRow): AgentRow {
    const { secrets } = row;
    return secrets === null ? row : { ...row, secrets: JSON.parse(this.vault.open(PURPOSE, asSealed(secrets))) as CharacterSecrets };
  }
}

/** A stored row has a text where the entity declares the decrypted type. */
function asSealed(secrets: CharacterSecrets): string {
  return secrets as unknown as string;
}
