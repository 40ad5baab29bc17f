import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { STORE, type Store } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import type { ServiceOverrides } from '../../providers/services/index.js';
import { Journal } from '../../core/journal/index.js';
import { redactSecrets, redactSecretsOf, secretsIn, Log } from '../../core/logging/index.js';
import { agentNotFound, agentNotRunning } from './agents.errors.js';
import { AgentsRepository } from './agents.repository.js';
import { CharacterImport } from './character-import.js';
import type { Character } from './character.js';
import type { AgentRow } from './entities/index.js';
import { findKnowledge, type Fact, type Knowledge } from './knowledge.js';
import { serviceOverrides, settingSources } from './service-overrides.js';

/** An agent of this installation. Immutable: a change creates a new object. */
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

/** An agent before and after a change; `before` is absent for a new agent, `after` for a deleted one. */
export interface AgentChange {
  readonly before?: Agent;
  readonly after?: Agent;
}

/** Names of an agent's secrets. */
export interface SecretNames {
  readonly own: readonly string[];
  readonly settings: readonly string[];
}

interface LoadedAgent {
  /** The row as read, for detecting changes. */
  readonly row: AgentRow;
  readonly agent: Agent;
  /** Sources of settings, in the order of lookup. */
  readonly settings: readonly Readonly<Record<string, unknown>>[];
  readonly services: ServiceOverrides | undefined;
  readonly facts: readonly Fact[];
}

const CHANGE_EVENTS = new Set(['agent.created', 'agent.updated', 'agent.started', 'agent.stopped', 'agent.deleted']);
const RETRY_MS = 1000;

/**
 * The agents of this installation, cached in memory; changes by other processes arrive through the journal. Ids are case-insensitive.
 * Character files are imported at start: a file that is new or has changed since its last import replaces the stored agent.
 */
@Injectable()
export class AgentsService implements OnModuleInit {
  private readonly log = new Log('agents');
  private loaded: ReadonlyMap<string, LoadedAgent> = new Map();
  private sorted: readonly Agent[] = [];
  private refreshes: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<(change: AgentChange) => void>();

  constructor(
    private readonly repository: AgentsRepository,
    private readonly files: CharacterImport,
    private readonly journal: Journal,
    private readonly clock: Clock,
    @Inject(STORE) private readonly store: Pick<Store, 'notifier'>,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onModuleInit(): Promise<void> {
    this.journal.subscribe(({ type, payload }) => {
      if (!CHANGE_EVENTS.has(type)) return;
      this.refreshWithRetry((payload as { agentId: string }).agentId);
    });
    const clearError = await this.repository.sealAll();
    if (clearError !== undefined) {
      this.log.warn('secrets are encrypted, but free pages of the database file could not be cleared; the next start retries', {
        reason: clearError.message,
      });
    }
    await this.files.importAll();
    // Queued after changes that arrive meanwhile, so that older rows do not overwrite them.
    this.refreshes = this.refreshes.then(() => this.load());
    await this.refreshes;
    if (this.sorted.length === 0) {
      this.log.warn('no agents: add a character file to the folder and restart', { folder: this.config.charactersDir });
    }
    this.log.info('agents ready', { agents: this.sorted.length });
  }

  /** All agents, active ones first, then by name. Returns the same array until an agent changes. */
  list(): readonly Agent[] {
    return this.sorted;
  }

  find(id: string): Agent | undefined {
    return this.loaded.get(id.toLowerCase())?.agent;
  }

  /** Those of these ids that another process may have made agents of, or running ones: `refresh` tells. Always empty on SQLite. */
  unknown(ids: readonly string[]): string[] {
    if (!this.store.notifier) return [];
    return [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => this.find(id)?.status !== 'active');
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

  /** @throws AppError VALIDATION_ERROR for the id of an agent, which must not speak as a user */
  assertUser(field: string, id: string): void {
    if (this.find(id)) {
      throw new AppError('VALIDATION_ERROR', `${field} must be the id of a user, not of an agent`, 'Choose a random UUID for each user.');
    }
  }

  /**
   * A setting of an agent: the first value found in the environment (`CHARACTER.<NAME>.<KEY>` or `CHARACTER.<ID>.<KEY>`), its secrets,
   * its settings, and the secrets of its settings. 0, false and empty text count as set; the texts "true" and "false" become booleans.
   *
   * @returns undefined when the setting is absent or null everywhere, or the agent is unknown
   */
  setting(id: string, key: string): unknown {
    const loaded = this.loaded.get(id.toLowerCase());
    if (!loaded) return undefined;
    const place = loaded.settings.find((candidate) => Object.hasOwn(candidate, key) && candidate[key] !== null);
    const value = this.fromEnvironment(loaded.agent, key) ?? place?.[key];
    return value === 'true' || value === 'false' ? value === 'true' : value;
  }

  /** The model and speech services that an agent configures itself; undefined when it configures none or is unknown. */
  services(id: string): ServiceOverrides | undefined {
    return this.loaded.get(id.toLowerCase())?.services;
  }

  /** The model settings of an agent, for `ModelRegistry.chat`. */
  modelChoice(id: string): { readonly provider?: string; readonly model?: string; readonly services?: ServiceOverrides } {
    const text = (key: string): string | undefined => {
      const value = this.setting(id, key);
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    return { provider: text('modelProvider'), model: text('model'), services: this.services(id) };
  }

  /** Names of the agent's secrets; empty for an unknown agent. */
  secretNames(id: string): SecretNames {
    const secrets = this.loaded.get(id.toLowerCase())?.row.secrets;
    return { own: Object.keys(secrets?.own ?? {}), settings: Object.keys(secrets?.settings ?? {}) };
  }

  /** The facts in the knowledge of the agent's character; empty for an unknown agent. Documents are those of the knowledge module. */
  knowledge(id: string): readonly Fact[] {
    return this.loaded.get(id.toLowerCase())?.facts ?? [];
  }

  /** The documents that the agent's character names, as they are in the characters folder now. @throws AppError AGENT_NOT_FOUND */
  knowledgeFiles(id: string): Promise<Pick<Knowledge, 'files' | 'unreadable'>> {
    return findKnowledge(this.config.charactersDir, this.require(id).character.knowledge ?? []);
  }

  /** Calls the listener after each change of an agent, in order, in every process. The listener must not throw or block. */
  onChange(listener: (change: AgentChange) => void): void {
    this.listeners.add(listener);
  }

  /** Reads an agent again. Await it after a change, to read your own writes. */
  refresh(id: string): Promise<void> {
    const refreshing = this.refreshes.then(() => this.reload(id));
    this.refreshes = refreshing.catch(() => undefined);
    return refreshing;
  }

  /** Resolves when all changes that the journal has reported so far are loaded. */
  whenIdle(): Promise<void> {
    return this.refreshes;
  }

  /** Reads an agent that another process changed; retries until it succeeds, because the journal reports a change only once. */
  private refreshWithRetry(agentId: string): void {
    this.refresh(agentId).catch((error: unknown) => {
      this.log.error('a changed agent could not be read; retrying', error, { agentId });
      this.clock.after(RETRY_MS, () => this.refreshWithRetry(agentId));
    });
  }

  private async reload(id: string): Promise<void> {
    const row = await this.repository.find(id);
    const before = this.loaded.get(id);
    if (row ? isDeepStrictEqual(row, before?.row) : !before) return;
    if (!row) redactSecretsOf(id, []);
    const after = row ? await this.toLoadedAgent(row) : undefined;
    const others = [...this.loaded].filter(([other]) => other !== id);
    this.replaceAll(after ? [...others, [id, after]] : others);
    for (const listener of this.listeners) listener({ before: before?.agent, after: after?.agent });
  }

  private replaceAll(loaded: Iterable<readonly [string, LoadedAgent]>): void {
    this.loaded = new Map(loaded);
    this.sorted = [...this.loaded.values()].map(({ agent }) => agent).sort(byStatusAndName);
  }

  private fromEnvironment({ id, name }: Pick<Agent, 'id' | 'name'>, key: string): string | undefined {
    const word = name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
    const value = this.config.variable(`CHARACTER.${word}.${key}`) ?? this.config.variable(`CHARACTER.${id.toUpperCase()}.${key}`);
    if (value !== undefined) redactSecrets(secretsIn({ [key]: value }));
    return value;
  }

  private async load(): Promise<void> {
    const loaded = await Promise.all((await this.repository.all()).map((row) => this.toLoadedAgent(row)));
    this.replaceAll(loaded.map((each) => [each.agent.id, each] as const));
  }

  private async toLoadedAgent(row: AgentRow): Promise<LoadedAgent> {
    const { id, name, status, character, secrets, createdAt, updatedAt } = row;
    redactSecretsOf(id, [
      ...Object.values(secrets?.own ?? {}),
      ...Object.values(secrets?.settings ?? {}),
      ...secretsIn(character.settings ?? {}),
    ]);
    const { facts, leftOut } = await findKnowledge(this.config.charactersDir, character.knowledge ?? []);
    if (leftOut.length > 0) this.log.warn('knowledge was left out', { agentId: id, name, leftOut });
    const settings = settingSources(character.settings, secrets);
    return {
      row,
      agent: { id, name, status, character, createdAt, updatedAt },
      settings,
      services: serviceOverrides(settings, (key) => this.fromEnvironment(row, key)),
      facts,
    };
  }
}

/** The sort key of an agent in the list. */
export type AgentSortKey = Pick<Agent, 'status' | 'name' | 'id'>;

/** The order of the list: active agents first, then by name. */
export function byStatusAndName(a: AgentSortKey, b: AgentSortKey): number {
  return Number(b.status === 'active') - Number(a.status === 'active') || a.name.localeCompare(b.name) || a.id.localeCompare(b.id);
}
