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
  const members = agentMembers(parts);
  // As the target, it keeps its accessors.
  Object.assign(
    members,
    serviceMembers(parts),
    modelMembers(parts),
    componentMembers(parts),
    cacheMembers(parts),
    memoryMembers(parts),
    roomMembers(parts),
  );
  return members;
}

function agentMembers({ agent, services, turns, runtime, conversationLength }: ElizaContext): object {
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
      return allServices(services, agent);
    },
    getConversationLength: () => conversationLength,
    createRunId: () => newId(),
    getAgent: (id: string) => Promise.resolve(id === agent.id ? { ...runtime().character, id } : null),
  };
}

function servicesOfType(services: AgentServices, agent: Agent, type: string): unknown[] {
  return [services.find(agent.id, type) ?? []].flat();
}

function allServices(services: AgentServices, agent: Agent): Map<string, unknown[]> {
  return new Map(services.types(agent.id).map((type) => [type, servicesOfType(services, agent, type)]));
}

function serviceMembers({ agent, services, signal }: ElizaContext): object {
  return {
    getServicesByType: (type: string) => servicesOfType(services, agent, type),
    getAllServices: () => allServices(services, agent),
    getRegisteredServiceTypes: () => services.types(agent.id),
    hasService: (type: string) => services.find(agent.id, type) !== null,
    getServiceLoadPromise: (type: string): Promise<unknown> => services.whenStarted(agent.id, type, signal),
  };
}

/** Registers what a plugin adds to an agent until it is unloaded; the same again replaces it. */
function keep({ agent, registered, unloading }: ElizaContext, what: string, off: () => void): void {
  const key = `${agent.id} ${what}`;
  const before = registered.get(key);
  registered.set(key, off);
  if (before) before();
  unloading.addEventListener('abort', off, { once: true });
}

function modelMembers(parts: ElizaContext): object {
  const { agent, models, signal, runtime } = parts;
  return {
    getModel: (type: string) =>
      models.has(type, agent.id)
        ? (_runtime: unknown, params: unknown): Promise<unknown> => models.invoke(agent, type, params, signal)
        : undefined,
    generateText: async (input: string, options: object = {}) => ({
      text: await models.invoke(agent, textType(options), { ...options, prompt: input }, signal),
    }),
    registerModel: (type: string, handler: ElizaModelHandler, _provider?: string, priority = 0) => {
      const call = (_agent: Agent, params: unknown): unknown => handler(runtime(), params as never);
      keep(parts, `model ${type}`, models.register({ type, priority, call, agentId: agent.id }));
    },
  };
}

function componentMembers(parts: ElizaContext): object {
  const { agent, plugin, turns, runtime } = parts;
  const register = (kind: 'action' | 'provider' | 'evaluator', it: { name: string }): void => {
    assertComponent(kind, it);
    const appliesTo = ({ id }: Agent): boolean => id === agent.id;
    const set: ComponentSet = { [`${kind}s`]: [it], appliesTo, runtime: () => runtime(), onFailed: parts.failed };
    keep(parts, `${kind} ${it.name}`, turns.register(plugin, set));
  };
  return {
    registerAction: (action: Action) => register('action', action),
    registerProvider: (provider: Provider) => register('provider', provider),
    registerEvaluator: (evaluator: Evaluator) => register('evaluator', evaluator),
  };
}

function cacheMembers({ agent, plugin, stores }: ElizaContext): object {
  const cache = stores.of(agentCacheName(agent.id));
  const log = new Log(`plugin ${plugin}`);
  return {
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
  };
}

function memoryMembers({ agent, plugin, memory, runtime }: ElizaContext): object {
  const byIds = async (ids: readonly string[]): Promise<Memory[]> =>
    (await Promise.all(ids.map((id) => memory.find(agent.id, id)))).filter((found) => found !== undefined).map(memoryOf);
  return {
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
  };
}

function roomMembers({ runtime }: ElizaContext): object {
  const ofWorld = async (worldId: string): Promise<unknown[]> => (await runtime().rooms.list()).filter((room) => room.worldId === worldId);
  return {
    getRooms: ofWorld,
    getRoomsByWorld: ofWorld,
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
