import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config, type OwnServices } from '../../core/config/index.js';
import { Journal } from '../../core/journal/index.js';
import { keepSecret, keepSecretsIn, Log } from '../../core/logging/index.js';
import { agentNotFound, agentNotRunning } from './agents.errors.js';
import { AgentsRepository } from './agents.repository.js';
import { readCharacterFiles } from './character-files.js';
import type { Character } from './character.js';
import type { AgentRow } from './entities/index.js';
import { readKnowledge, type KnowledgeText } from './knowledge.js';
import { ownServices, settingPlaces } from './own-services.js';

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

/** An agent as it was and as it is; the one or the other is absent when it came or went. */
export interface AgentChange {
  readonly before?: Agent;
  readonly after?: Agent;
}

/** Which secrets an agent has, by name. */
export interface SecretNames {
  readonly own: readonly string[];
  readonly settings: readonly string[];
}

interface Held {
  /** As it was read, so that a change shows. */
  readonly row: AgentRow;
  readonly agent: Agent;
  /** Where settings are looked up, in this order. */
  readonly settings: readonly Readonly<Record<string, unknown>>[];
  readonly services: OwnServices | undefined;
  readonly knowledge: readonly KnowledgeText[];
}

const CHANGES = new Set(['agent.created', 'agent.updated', 'agent.started', 'agent.stopped', 'agent.deleted']);
const READ_AGAIN_MS = 1000;

/**
 * The agents of this installation, held in memory from start on; what another process changes arrives by the journal.
 * Ids are compared without regard to case.
 * At start the character files are imported: a file that is new, or that changed since its last import, wins;
 * otherwise the database does.
 */
@Injectable()
export class AgentsService implements OnModuleInit {
  private readonly log = new Log('agents');
  private held: ReadonlyMap<string, Held> = new Map();
  private sorted: readonly Agent[] = [];
  private refreshed: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<(change: AgentChange) => void>();

  constructor(
    private readonly repository: AgentsRepository,
    private readonly journal: Journal,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onModuleInit(): Promise<void> {
    this.journal.listen(({ type, payload }) => {
      if (!CHANGES.has(type)) return;
      this.follow((payload as { agentId: string }).agentId);
    });
    const left = await this.repository.sealAll();
    if (left !== undefined) {
      this.log.warn('secrets are sealed, but unused parts of the database file could not be cleared; the next start tries again', {
        reason: left.message,
      });
    }
    await this.importFiles();
    // Behind the changes that are heard of meanwhile, so that none of them is overwritten by what was read before it.
    this.refreshed = this.refreshed.then(() => this.load());
    await this.refreshed;
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
    throw agentNotFound(id);
  }

  /** @throws AppError AGENT_NOT_FOUND, also for an agent that is not active */
  requireRunning(id: string): Agent {
    const agent = this.require(id);
    if (agent.status === 'active') return agent;
    throw agentNotRunning(id);
  }

  /**
   * A setting of an agent out of the environment (`CHARACTER.<NAME>.<KEY>` or `CHARACTER.<ID>.<KEY>`), its secrets, its settings, or
   * the secrets of its settings: the first that has one.
   * 0, false and empty text count as set; the texts "true" and "false" are given as booleans.
   *
   * @returns undefined when it is null everywhere or absent, or when there is no such agent
   */
  setting(id: string, key: string): unknown {
    const held = this.held.get(id.toLowerCase());
    if (!held) return undefined;
    const place = held.settings.find((candidate) => Object.hasOwn(candidate, key) && candidate[key] !== null);
    const value = this.fromEnvironment(held.agent, key) ?? place?.[key];
    return value === 'true' || value === 'false' ? value === 'true' : value;
  }

  /** The services of models and speech that an agent names for itself; undefined when it names none, or when there is no such agent. */
  services(id: string): OwnServices | undefined {
    return this.held.get(id.toLowerCase())?.services;
  }

  /** Names of the agent's secrets; none when there is no such agent. */
  secretNames(id: string): SecretNames {
    const secrets = this.held.get(id.toLowerCase())?.row.secrets;
    return { own: Object.keys(secrets?.own ?? {}), settings: Object.keys(secrets?.settings ?? {}) };
  }

  /**
   * What the agent knows: the facts and documents that its character lists, as they were when it was last read; empty when there is no
   * such agent.
   */
  knowledge(id: string): readonly KnowledgeText[] {
    return this.held.get(id.toLowerCase())?.knowledge ?? [];
  }

  /** Calls back after each change of an agent, in order, in every process. Must not throw or wait. */
  onChange(listener: (change: AgentChange) => void): void {
    this.listeners.add(listener);
  }

  /** Takes in what the database has about an agent now. Whoever changed it waits for this, so that it reads its own writes. */
  refresh(id: string): Promise<void> {
    const refreshing = this.refreshed.then(() => this.reread(id));
    this.refreshed = refreshing.catch(() => undefined);
    return refreshing;
  }

  /** Resolves when every change that the journal has told until now is taken in. */
  settled(): Promise<void> {
    return this.refreshed;
  }

  /** Takes in a change that the journal told, however often it takes: nobody tells it twice. */
  private follow(agentId: string): void {
    this.refresh(agentId).catch((error: unknown) => {
      this.log.error('a changed agent could not be read; trying again', error, { agentId });
      this.clock.after(READ_AGAIN_MS, () => this.follow(agentId));
    });
  }

  private async reread(id: string): Promise<void> {
    const row = await this.repository.find(id);
    const before = this.held.get(id);
    if (row ? isDeepStrictEqual(row, before?.row) : !before) return;
    const after = row ? await this.hold(row) : undefined;
    const others = [...this.held].filter(([other]) => other !== id);
    this.keep(after ? [...others, [id, after]] : others);
    for (const listener of this.listeners) listener({ before: before?.agent, after: after?.agent });
  }

  private keep(held: Iterable<readonly [string, Held]>): void {
    this.held = new Map(held);
    this.sorted = [...this.held.values()].map(({ agent }) => agent).sort(byStatusAndName);
  }

  private fromEnvironment({ id, name }: Pick<Agent, 'id' | 'name'>, key: string): string | undefined {
    const word = name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
    const value = this.config.variable(`CHARACTER.${word}.${key}`) ?? this.config.variable(`CHARACTER.${id.toUpperCase()}.${key}`);
    if (value !== undefined) keepSecretsIn({ [key]: value });
    return value;
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
    this.keep(held.map((each) => [each.agent.id, each] as const));
  }

  private async hold(row: AgentRow): Promise<Held> {
    const { id, name, status, character, secrets, createdAt, updatedAt } = row;
    keepSecret([...Object.values(secrets?.own ?? {}), ...Object.values(secrets?.settings ?? {})]);
    keepSecretsIn(character.settings ?? {});
    const { texts, leftOut } = await readKnowledge(this.config.charactersDir, character.knowledge ?? []);
    if (leftOut.length > 0) this.log.warn('knowledge was left out', { agentId: id, name, leftOut });
    const settings = settingPlaces(character.settings, secrets);
    return {
      row,
      agent: { id, name, status, character, createdAt, updatedAt },
      settings,
      services: ownServices(settings, (key) => this.fromEnvironment(row, key)),
      knowledge: texts,
    };
  }
}

/** What says where an agent stands in the list. */
export type AgentPlace = Pick<Agent, 'status' | 'name' | 'id'>;

/** The order of the list: the active ones first, then by name. */
export function byStatusAndName(a: AgentPlace, b: AgentPlace): number {
  return Number(b.status === 'active') - Number(a.status === 'active') || a.name.localeCompare(b.name) || a.id.localeCompare(b.id);
}
