import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { UnitOfWork, type Outcome, type Statement, type Transaction } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { idFromText } from '../../core/ids/index.js';
import { append } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { changed, withoutMasks } from './agent-changes.js';
import { isSameName, refuseRename, refuseTaken } from './agent-names.js';
import { AgentCompanions } from './agent-companions.js';
import { agentNotFound, agentNotRunning } from './agents.errors.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService, type Agent } from './agents.service.js';
import { readCharacterFile } from './character-files.js';
import { readCharacter, type ReadCharacter } from './character.js';
import type { AgentRow } from './entities/index.js';
import { realInside } from './knowledge.js';

/** Thrown out of a unit that found the id of a new agent taken. */
class Taken extends AppError {
  constructor() {
    super('CONFLICT', 'There is an agent with this id.');
  }
}

/** The one way in which agents are created, changed, started, stopped and deleted; what follows from it is in the same unit of work. */
@Injectable()
export class AgentLifecycle {
  private readonly log = new Log('agents');

  constructor(
    private readonly agents: AgentsService,
    private readonly companions: AgentCompanions,
    private readonly repository: AgentsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates an agent out of a character; it does not run yet. Its id is the character's, or follows from the name; an agent that
   * has both already is left as it is.
   *
   * @returns the agent that is there then
   * @throws AppError CHARACTER_INVALID whose details name every fault with its path, CONFLICT when an agent of another name has the id, or another agent has the name
   */
  async create(given: unknown): Promise<Agent> {
    return this.insert(readCharacter(withoutMasks(given), 'character'));
  }

  /** As `create`, from a .json file below the characters folder; nothing outside it is read, through a link neither. */
  async createFromFile(path: string): Promise<Agent> {
    const { charactersDir } = this.config;
    if (!/\.json$/i.test(path) || (await realInside(charactersDir, path)) === undefined) {
      throw new AppError(
        'VALIDATION_ERROR',
        'characterPath must be the path of a .json file below the characters folder',
        'Send the character itself as characterJson.',
      );
    }
    return this.insert(await readCharacterFile(charactersDir, path));
  }

  /**
   * Lays a change over an agent's character: fields replace, null takes a field away, `settings` and `secrets` are merged.
   *
   * @throws AppError AGENT_NOT_FOUND, CHARACTER_INVALID, CONFLICT for a name that another agent has
   */
  async update(id: string, change: Record<string, unknown>): Promise<Agent> {
    await this.unitOfWork.run('update agent', async (tx) => {
      const row = await this.require(tx, id);
      const next = changed(row, change);
      if (isDeepStrictEqual(next, { character: row.character, secrets: row.secrets })) return;
      const { name } = next.character;
      if (!isSameName(name, row.name)) refuseRename({ id, name }, await this.repository.namesIn(tx));
      const updatedAt = this.clock.now();
      await tx.apply([
        append('agent.updated', null, { agentId: id, name }, updatedAt),
        this.repository.update({ ...row, ...next, name, updatedAt }),
      ]);
    });
    return this.refreshed(id);
  }

  /** Lets an agent take part in conversations again; one that runs already stays as it is. @throws AppError AGENT_NOT_FOUND */
  async start(id: string): Promise<Agent> {
    await this.unitOfWork.run('start agent', async (tx) => {
      const { name, status } = await this.require(tx, id);
      if (status === 'active') return;
      const now = this.clock.now();
      await tx.apply([append('agent.started', null, { agentId: id, name }, now), this.repository.setStatus(id, 'active', now)]);
    });
    return this.refreshed(id);
  }

  /** Takes an agent out of conversations; the answers that it owes are cancelled. @throws AppError AGENT_NOT_FOUND, also when it does not run */
  async stop(id: string): Promise<Agent> {
    await this.unitOfWork.run('stop agent', async (tx) => {
      const agent = await this.require(tx, id);
      if (agent.status !== 'active') throw agentNotRunning(id);
      await tx.apply(await this.stopping(agent, tx));
    });
    return this.refreshed(id);
  }

  /**
   * Deletes an agent with all it owns. It is stopped first; a deletion that is cut off by the end of the process leaves it
   * stopped, and can be asked for again.
   *
   * @throws AppError AGENT_NOT_FOUND
   */
  async delete(id: string): Promise<void> {
    if (this.agents.require(id).status === 'active') await this.stop(id);
    await this.companions.purge(id);
    await this.unitOfWork.run('delete agent', async (tx) => {
      const row = await this.require(tx, id);
      const now = this.clock.now();
      await tx.apply([
        append('agent.deleted', null, { agentId: id, name: row.name }, now),
        ...(await this.companions.deleted(row, tx)),
        ...this.repository.delete(row, now),
      ]);
    });
    await this.agents.refresh(id);
    this.log.info('agent deleted', { agentId: id });
  }

  private async insert({ character, secrets }: ReadCharacter): Promise<Agent> {
    const id = (character.id ?? idFromText(character.name)).toLowerCase();
    const { name } = character;
    const now = this.clock.now();
    const row: AgentRow = { id, name, status: 'inactive', character, secrets, sourceHash: null, createdAt: now, updatedAt: now };
    const taken = ({ changed: rows }: Outcome): AppError | undefined => (rows === 0 ? new Taken() : undefined);
    const companions = await this.companions.created(row);
    try {
      await this.unitOfWork.run('create agent', async (tx) => {
        const agents = await this.repository.namesIn(tx);
        if (agents.some((agent) => agent.id === id)) throw new Taken();
        refuseTaken(row, agents);
        await tx.apply([append('agent.created', null, { agentId: id, name }, now), this.repository.insert(row, taken), ...companions]);
      });
      this.log.info('agent created', { agentId: id, name });
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
    }
    const agent = await this.refreshed(id);
    if (agent.name !== name) {
      throw new AppError(
        'CONFLICT',
        `The id ${id} belongs to the agent ${agent.name}.`,
        'Give the character an id of its own; without one it follows from the name, which that agent had before.',
      );
    }
    return agent;
  }

  private async stopping(agent: AgentRow, tx: Transaction): Promise<Statement[]> {
    const { id, name } = agent;
    const now = this.clock.now();
    return [
      append('agent.stopped', null, { agentId: id, name }, now),
      this.repository.setStatus(id, 'inactive', now),
      ...(await this.companions.stopped(agent, tx)),
    ];
  }

  private async require(tx: Transaction, id: string): Promise<AgentRow> {
    const row = await this.repository.findIn(tx, id);
    if (!row) throw agentNotFound(id);
    return row;
  }

  private async refreshed(id: string): Promise<Agent> {
    await this.agents.refresh(id);
    return this.agents.require(id);
  }
}
