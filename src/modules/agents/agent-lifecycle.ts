import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { auditEntry, type AuditedChange } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { UnitOfWork, type Outcome, type Statement, type Transaction } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { idFromText } from '../../core/ids/index.js';
import { append } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { applyChange, changedFields, stripMasks } from './agent-changes.js';
import { isSameName, assertRenameAllowed, assertNameAvailable } from './agent-names.js';
import { AgentLifecycleHooks } from './agent-lifecycle-hooks.js';
import { agentNotFound, agentNotRunning } from './agents.errors.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService, type Agent } from './agents.service.js';
import { readCharacterFile } from './character-files.js';
import { assertCharacterSize, parseCharacter, type ParsedCharacter } from './character.js';
import type { AgentRow } from './entities/index.js';
import { resolveInside } from './knowledge.js';

/** Aborts the creation of an agent whose id exists. */
class IdTaken extends AppError {
  constructor() {
    super('CONFLICT', 'An agent with this id exists.');
  }
}

/** Creates, changes, starts, stops and deletes agents. The statements of lifecycle hooks run in the same transaction. */
@Injectable()
export class AgentLifecycle {
  private readonly log = new Log('agents');

  constructor(
    private readonly agents: AgentsService,
    private readonly hooks: AgentLifecycleHooks,
    private readonly repository: AgentsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates an inactive agent from a character. Its id is the character's, or is derived from the name. An existing agent with the same
   * id and name stays unchanged.
   *
   * @returns the created or existing agent
   * @throws AppError CHARACTER_INVALID whose details list all faults with their paths; CONFLICT when an agent of another name has the
   *   id, or another agent has the name
   */
  async create(given: unknown): Promise<Agent> {
    assertCharacterSize(given, 'character');
    return this.insert(parseCharacter(stripMasks(given), 'character'));
  }

  /** As `create`, from a .json file below the characters folder. Files outside the folder are not read, not even through links. */
  async createFromFile(path: string): Promise<Agent> {
    const { charactersDir } = this.config;
    if (!/\.json$/i.test(path) || (await resolveInside(charactersDir, path)) === undefined) {
      throw new AppError(
        'VALIDATION_ERROR',
        'characterPath must be the path of a .json file below the characters folder',
        'Send the character itself as characterJson.',
      );
    }
    return this.insert(await readCharacterFile(charactersDir, path));
  }

  /**
   * Merges a change into an agent's character: fields are replaced, null removes a field, `settings` and `secrets` are merged.
   *
   * @throws AppError AGENT_NOT_FOUND, CHARACTER_INVALID, CONFLICT for a name that another agent has
   */
  async update(id: string, change: Record<string, unknown>): Promise<Agent> {
    await this.unitOfWork.run('update agent', async (tx) => {
      const row = await this.require(tx, id);
      const next = applyChange(row, change);
      if (isDeepStrictEqual(next, { character: row.character, secrets: row.secrets })) return;
      const { name } = next.character;
      if (!isSameName(name, row.name)) assertRenameAllowed({ id, name }, await this.repository.namesIn(tx));
      const updatedAt = this.clock.now();
      await tx.apply([
        append('agent.updated', null, { agentId: id, name }, updatedAt),
        this.repository.update({ ...row, ...next, name, updatedAt }),
        auditEntry(
          'agent.updated',
          { ...targetOf(id), summary: `Changed the agent ${name}.`, fields: changedFields(row, next) },
          updatedAt,
        ),
      ]);
    });
    return this.reload(id);
  }

  /** Starts an agent; has no effect on an active agent. @throws AppError AGENT_NOT_FOUND */
  async start(id: string): Promise<Agent> {
    await this.unitOfWork.run('start agent', async (tx) => {
      const { name, status } = await this.require(tx, id);
      if (status === 'active') return;
      const now = this.clock.now();
      await tx.apply([
        append('agent.started', null, { agentId: id, name }, now),
        this.repository.setStatus(id, 'active', now),
        auditEntry('agent.started', { ...targetOf(id), summary: `Started the agent ${name}.` }, now),
      ]);
    });
    return this.reload(id);
  }

  /** Stops an agent and cancels its pending replies. @throws AppError AGENT_NOT_FOUND, also for an agent that is not running */
  async stop(id: string): Promise<Agent> {
    await this.unitOfWork.run('stop agent', async (tx) => {
      const agent = await this.require(tx, id);
      if (agent.status !== 'active') throw agentNotRunning(id);
      await tx.apply(await this.stopStatements(agent, tx));
    });
    return this.reload(id);
  }

  /**
   * Deletes an agent with all its data. The agent is stopped first; a deletion that is interrupted by a crash leaves it stopped and can
   * be repeated.
   *
   * @throws AppError AGENT_NOT_FOUND
   */
  async delete(id: string): Promise<void> {
    if (this.agents.require(id).status === 'active') await this.stop(id);
    await this.hooks.purgeAgent(id);
    await this.unitOfWork.run('delete agent', async (tx) => {
      const row = await this.require(tx, id);
      const now = this.clock.now();
      await tx.apply([
        append('agent.deleted', null, { agentId: id, name: row.name }, now),
        ...(await this.hooks.onAgentDeleted(row, tx)),
        ...this.repository.delete(row, now),
        auditEntry('agent.deleted', { ...targetOf(id), summary: `Deleted the agent ${row.name} with all its data.` }, now),
      ]);
    });
    await this.agents.refresh(id);
    this.log.info('agent deleted', { agentId: id });
  }

  private async insert({ character, secrets }: ParsedCharacter): Promise<Agent> {
    const id = (character.id ?? idFromText(character.name)).toLowerCase();
    const { name } = character;
    const now = this.clock.now();
    const row: AgentRow = { id, name, status: 'inactive', character, secrets, sourceHash: null, createdAt: now, updatedAt: now };
    const taken = ({ changed: rows }: Outcome): AppError | undefined => (rows === 0 ? new IdTaken() : undefined);
    const statements = await this.hooks.onAgentCreated(row);
    try {
      await this.unitOfWork.run('create agent', async (tx) => {
        const agents = await this.repository.namesIn(tx);
        if (agents.some((agent) => agent.id === id)) throw new IdTaken();
        assertNameAvailable(row, agents);
        await tx.apply([
          append('agent.created', null, { agentId: id, name }, now),
          this.repository.insert(row, taken),
          ...statements,
          auditEntry('agent.created', { ...targetOf(id), summary: `Created the agent ${name}.` }, now),
        ]);
      });
      this.log.info('agent created', { agentId: id, name });
    } catch (error) {
      if (!(error instanceof IdTaken)) throw error;
    }
    const agent = await this.reload(id);
    if (agent.name !== name) {
      throw new AppError(
        'CONFLICT',
        `The id ${id} belongs to the agent ${agent.name}.`,
        'Give the character an id of its own; without one, the id is derived from the name, which that agent had before.',
      );
    }
    return agent;
  }

  private async stopStatements(agent: AgentRow, tx: Transaction): Promise<Statement[]> {
    const { id, name } = agent;
    const now = this.clock.now();
    return [
      append('agent.stopped', null, { agentId: id, name }, now),
      this.repository.setStatus(id, 'inactive', now),
      auditEntry('agent.stopped', { ...targetOf(id), summary: `Stopped the agent ${name}.` }, now),
      ...(await this.hooks.onAgentStopped(agent, tx)),
    ];
  }

  private async require(tx: Transaction, id: string): Promise<AgentRow> {
    const row = await this.repository.findIn(tx, id);
    if (!row) throw agentNotFound(id);
    return row;
  }

  private async reload(id: string): Promise<Agent> {
    await this.agents.refresh(id);
    return this.agents.require(id);
  }
}

function targetOf(agentId: string): Pick<AuditedChange, 'target' | 'agentId'> {
  return { target: ['agent', agentId], agentId };
}
