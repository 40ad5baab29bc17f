import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { AgentsRepository } from './agents.repository.js';
import { readCharacterFiles } from './character-files.js';
import type { Character } from './character.js';
import type { AgentRow } from './entities/index.js';
import { readKnowledge, type KnowledgeText } from './knowledge.js';

/** An agent that this installation hosts. A change makes a new object; one that was handed out stays as it was. */
export interface Agent {
  /** UUID, lower case. */
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'inactive';
  /** Without secrets. */
  readonly character: Character;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly updatedAt: number;
}

interface Held {
  readonly agent: Agent;
  /** Where settings are looked up, in this order. */
  readonly settings: readonly Readonly<Record<string, unknown>>[];
  readonly knowledge: readonly KnowledgeText[];
}

/**
 * The agents of this installation, held in memory from start on. Ids are compared without regard to case.
 * At start the character files are imported: a file that is new, or that changed since its last import, wins;
 * otherwise the database does.
 */
@Injectable()
export class AgentsService implements OnModuleInit {
  private readonly log = new Log('agents');
  private held: ReadonlyMap<string, Held> = new Map();
  private sorted: readonly Agent[] = [];

  constructor(
    private readonly repository: AgentsRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.importFiles();
    await this.load();
    if (this.sorted.length === 0) {
      this.log.warn('there are no agents: put a character file into the folder and start again', { folder: this.config.charactersDir });
    }
    this.log.info('agents ready', { agents: this.sorted.length });
  }

  /** All agents, the active ones first, then by name. The same array until an agent changes. */
  list(): readonly Agent[] {
    return this.sorted;
  }

  find(id: string): Agent | undefined {
    return this.held.get(id.toLowerCase())?.agent;
  }

  /** @throws AppError AGENT_NOT_FOUND */
  require(id: string): Agent {
    const agent = this.find(id);
    if (agent) return agent;
    throw new AppError('AGENT_NOT_FOUND', `There is no agent with the id ${id}.`, 'GET /api/agents lists the agents and their ids.');
  }

  /** @throws AppError AGENT_NOT_FOUND, also for an agent that is not active */
  requireRunning(id: string): Agent {
    const agent = this.require(id);
    if (agent.status === 'active') return agent;
    throw new AppError(
      'AGENT_NOT_FOUND',
      `The agent with the id ${id} is not running.`,
      'Only an active agent takes part in conversations.',
    );
  }

  /**
   * A setting of an agent out of its secrets, its settings, or the secrets of its settings: the first that has one.
   * 0, false and empty text count as set; the texts "true" and "false" are given as booleans.
   *
   * @returns undefined when it is null everywhere or absent, or when there is no such agent
   */
  setting(id: string, key: string): unknown {
    const places = this.held.get(id.toLowerCase())?.settings ?? [];
    const place = places.find((candidate) => Object.hasOwn(candidate, key) && candidate[key] !== null);
    const value = place?.[key];
    return value === 'true' || value === 'false' ? value === 'true' : value;
  }

  /** What the agent knows: the facts and documents that its character lists, as they were at start; empty when there is no such agent. */
  knowledge(id: string): readonly KnowledgeText[] {
    return this.held.get(id.toLowerCase())?.knowledge ?? [];
  }

  private async importFiles(): Promise<void> {
    const files = await readCharacterFiles(this.config.charactersDir, this.config.given.has('CHARACTERS_DIR'));
    for (const { file, unused } of files) {
      if (unused.length > 0) this.log.warn('the character file has fields that are not used', { file, fields: unused });
    }
    const taken = await this.repository.import(files, this.clock.now());
    for (const { file, agentId, character } of taken) this.log.info('character imported', { file, agentId, name: character.name });
  }

  private async load(): Promise<void> {
    const held = await Promise.all((await this.repository.all()).map((row) => this.hold(row)));
    this.held = new Map(held.map((each) => [each.agent.id, each]));
    this.sorted = held.map((each) => each.agent).sort(activeThenName);
  }

  private async hold({ id, name, status, character, secrets, createdAt, updatedAt }: AgentRow): Promise<Held> {
    const { texts, leftOut } = await readKnowledge(this.config.charactersDir, character.knowledge ?? []);
    if (leftOut.length > 0) this.log.warn('knowledge was left out', { agentId: id, name, leftOut });
    return {
      agent: { id, name, status, character, createdAt, updatedAt },
      settings: [secrets?.own ?? {}, character.settings ?? {}, secrets?.settings ?? {}],
      knowledge: texts,
    };
  }
}

function activeThenName(a: Agent, b: Agent): number {
  return Number(b.status === 'active') - Number(a.status === 'active') || a.name.localeCompare(b.name) || a.id.localeCompare(b.id);
}
