import { newId } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import type { Action, AgentRuntime, Evaluator, Memory, Plugin, Provider } from '../../plugin-sdk/index.js';
import type { Agent } from '../agents/index.js';
import type { AgentMemory } from '../memory/index.js';
import type { ComponentSet, TurnComponents } from '../turns/index.js';
import type { AgentModels } from './agent-models.js';
import type { AgentServices } from './agent-services.js';
import { assertComponent } from './plugin-schema.js';
import { agentCacheName, type PluginStores } from './plugin-stores.js';

/** Dependencies of the members below. */
export interface ElizaContext {
  readonly plugin: string;
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** Aborts when the plugin is unloaded, which unregisters its components. */
  readonly unloading: AbortSignal;
  readonly runtime: () => AgentRuntime;
  readonly memory: AgentMemory;
  readonly models: AgentModels;
  readonly services: AgentServices;
  readonly stores: PluginStores;
  readonly turns: TurnComponents;
  readonly conversationLength: number;
  readonly failed: (component: string, error: unknown) => void;
  /** Unregister functions by agent and name: registering a component again replaces it. */
  readonly registered: Map<string, () => void>;
}

type ElizaModelHandler = (runtime: AgentRuntime, params: never) => unknown;

/**
 * Members of `IAgentRuntime` of @elizaos/core 1.7, implemented with Parley's services, in addition to those of every runtime. Other members
 * throw an error that names them (`unsupported-members.ts`).
 */
export function elizaMembers(parts: ElizaContext): object {
  const { plugin, agent, signal, memory, models, services, stores, turns } = parts;
  const runtime = parts.runtime;
  const cache = stores.of(agentCacheName(agent.id));
  const log = new Log(`plugin ${plugin}`);
  const ofType = (type: string): unknown[] => [services.find(agent.id, type) ?? []].flat();
  const all = (): Map<string, unknown[]> => new Map(services.types(agent.id).map((type) => [type, ofType(type)]));
  const byIds = async (ids: readonly string[]): Promise<Memory[]> =>
    (await Promise.all(ids.map((id) => memory.find(agent.id, id)))).filter((found) => found !== undefined).map(memoryOf);
  const keep = (what: string, off: () => void): void => {
    const key = `${agent.id} ${what}`;
    const before = parts.registered.get(key);
    parts.registered.set(key, off);
    if (before) before();
    parts.unloading.addEventListener('abort', off, { once: true });
  };
  const register = (kind: 'action' | 'provider' | 'evaluator', it: { name: string }): void => {
    assertComponent(kind, it);
    const appliesTo = ({ id }: Agent): boolean => id === agent.id;
    const set: ComponentSet = { [`${kind}s`]: [it], appliesTo, runtime: () => runtime(), onFailed: parts.failed };
    keep(`${kind} ${it.name}`, turns.register(plugin, set));
  };
  return {
    // Resolved: a plugin receives the runtime only when it is ready.
    initPromise: Promise.resolve(),
    isReady: () => Promise.resolve(true),
    messageService: null,
    hasElizaOS: () => false,
    routes: [],
    events: {},
    stateCache: new Map(),
    get plugins(): Pick<Plugin, 'name'>[] {
      return turns.owners().map((name) => ({ name }));
    },
    get actions(): Action[] {
      return turns.actionsOf(agent).map(({ definition }) => definition);
    },
    get providers(): Provider[] {
      return turns.providersOf(agent).map(({ definition }) => definition);
    },
    get evaluators(): Evaluator[] {
      return turns.evaluatorsOf(agent).map(({ definition }) => definition);
    },
    get services(): Map<string, unknown[]> {
      return all();
    },
    getConversationLength: () => parts.conversationLength,
    createRunId: () => newId(),
    getAgent: (id: string) => Promise.resolve(id === agent.id ? { ...runtime().character, id } : null),

    getServicesByType: ofType,
    getAllServices: all,
    getRegisteredServiceTypes: () => services.types(agent.id),
    hasService: (type: string) => services.find(agent.id, type) !== null,
    getServiceLoadPromise: (type: string): Promise<unknown> => services.whenStarted(agent.id, type, signal),

    getModel: (type: string) =>
      models.has(type, agent.id)
        ? (_runtime: unknown, params: unknown): Promise<unknown> => models.invoke(agent, type, params, signal)
        : undefined,
    generateText: async (input: string, options: object = {}) => ({
      text: await models.invoke(agent, textType(options), { ...options, prompt: input }, signal),
    }),
    registerModel: (type: string, handler: ElizaModelHandler, _provider?: string, priority = 0) => {
      const call = (_agent: Agent, params: unknown): unknown => handler(runtime(), params as never);
      keep(`model ${type}`, models.register({ type, priority, call, agentId: agent.id }));
    },
    registerAction: (action: Action) => register('action', action),
    registerProvider: (provider: Provider) => register('provider', provider),
    registerEvaluator: (evaluator: Evaluator) => register('evaluator', evaluator),

    getCache: (key: string) => cache.get(key),
    setCache: async (key: string, value: unknown) => {
      await cache.set(key, value);
      return true;
    },
    deleteCache: async (key: string) => {
      await cache.delete(key);
      return true;
    },
    log: ({ body = {}, type = 'log', ...about }: { body?: object; type?: string }) => {
      log.write('info', type, { ...body, ...about, type, agentId: agent.id });
      return Promise.resolve();
    },

    getMemoryById: async (id: string) => (await byIds([id]))[0] ?? null,
    getMemoriesByIds: (ids: string[]) => byIds(ids),
    getMemoriesByRoomIds: async ({ roomIds, tableName: type, limit }: { roomIds: string[]; tableName?: string; limit?: number }) => {
      const found = await Promise.all(roomIds.map((roomId) => runtime().memories.list({ roomId, type, limit })));
      const newestFirst = found.flat().sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
      return newestFirst.slice(0, limit);
    },
    deleteMemory: (id: string) => memory.delete(agent.id, id, plugin),
    // Parley generates embeddings itself when memories are stored or changed.
    addEmbeddingToMemory: (given: Memory) => Promise.resolve(given),
    queueEmbeddingGeneration: () => Promise.resolve(),

    getRooms: async (worldId: string) => (await runtime().rooms.list()).filter((room) => room.worldId === worldId),
    getRoomsByWorld: async (worldId: string) => (await runtime().rooms.list()).filter((room) => room.worldId === worldId),
    getRoomsByIds: async (ids: string[]) => (await Promise.all(ids.map((id) => runtime().rooms.get(id)))).filter((room) => room !== null),
    getEntitiesForRoom: (roomId: string) => runtime().rooms.entities(roomId),
    getEntitiesByIds: async (ids: string[]) =>
      (await Promise.all(ids.map((id) => runtime().entities.get(id)))).filter((entity) => entity !== null),
    getParticipantsForRoom: async (roomId: string) => (await runtime().rooms.entities(roomId)).map(({ id }) => id),
    isRoomParticipant: async (roomId: string, entityId: string) =>
      (await runtime().rooms.entities(roomId)).some(({ id }) => id === entityId),
  };
}

function textType(options: object): string {
  const { modelType } = options as { modelType?: unknown };
  return typeof modelType === 'string' ? modelType : 'TEXT_LARGE';
}

function memoryOf({ worldId, ...memory }: NonNullable<Awaited<ReturnType<AgentMemory['find']>>>): Memory {
  return { ...memory, content: memory.content, ...(worldId === null ? {} : { worldId }) };
}
