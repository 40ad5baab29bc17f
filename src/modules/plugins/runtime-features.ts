import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Log } from '../../core/logging/index.js';
import { ProvidersStep, TurnComponents } from '../turns/index.js';
import type { Agent } from '../agents/index.js';
import { AgentMemory } from '../memory/index.js';
import type { AgentRuntime, Entity, EventHandler, Memory, NewMemory, Room } from '../../plugin-sdk/index.js';
import { AgentEvents } from './agent-events.js';
import { AgentModels } from './agent-models.js';
import { AgentServices } from './agent-services.js';
import type { PluginProblems } from './plugin-problems.js';
import { PluginStores } from './plugin-stores.js';
import { elizaMembers } from './runtime-eliza.js';

/** Runtime members other than messages and settings. */
export type RuntimeFeatures = Pick<
  AgentRuntime,
  | 'memories'
  | 'rooms'
  | 'entities'
  | 'useModel'
  | 'emit'
  | 'on'
  | 'getService'
  | 'composeState'
  | 'createMemory'
  | 'searchMemories'
  | 'updateMemory'
  | 'getMemories'
  | 'getRoom'
  | 'getEntityById'
  | 'emitEvent'
  | 'registerEvent'
>;

/** The plugin that uses the features. */
interface Owner {
  readonly plugin: string;
  /** Removes the plugin's event handlers. */
  readonly unloading: AbortSignal;
  readonly problems: PluginProblems;
  readonly registered: Map<string, () => void>;
}

/** Creates the runtime features of one plugin and one agent. */
@Injectable()
export class RuntimeFeatureFactory {
  private readonly log = new Log('plugins');

  constructor(
    private readonly memory: AgentMemory,
    private readonly models: AgentModels,
    private readonly events: AgentEvents,
    private readonly services: AgentServices,
    private readonly providers: ProvidersStep,
    private readonly turns: TurnComponents,
    private readonly stores: PluginStores,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param runtime the complete runtime, for event handlers */
  create({ plugin, unloading }: Owner, agent: Agent, signal: AbortSignal, runtime: () => AgentRuntime): RuntimeFeatures {
    const memories = this.memoriesOf(agent, plugin);
    const rooms = this.roomsOf(agent);
    const entities = this.entitiesOf(agent);
    const emit: AgentRuntime['emit'] = (event, payload = {}) => this.events.emit(agent, event, payload);
    const on = (event: string, handler: EventHandler): (() => void) => {
      const call = (_agent: Agent, payload: object): unknown => handler({ source: 'runtime', ...payload, runtime: runtime() });
      const off = this.events.on({ event, agentId: agent.id, call });
      const unsubscribe = (): void => {
        off();
        unloading.removeEventListener('abort', unsubscribe);
      };
      unloading.addEventListener('abort', unsubscribe, { once: true });
      return unsubscribe;
    };
    return {
      memories,
      rooms,
      entities,
      emit,
      on,
      useModel: (type, params) => this.models.invoke(agent, type, params, signal),
      getService: (type) => this.services.find(agent.id, type),
      composeState: (message, include, only) => this.providers.compose(agent, message, signal, { include, only }),
      createMemory: ({ content, id, roomId, entityId, metadata, vouched }, type) =>
        memories.create({ content, id, roomId, entityId, metadata, vouched, type }),
      searchMemories: ({ query, count, roomId, match_threshold: minSimilarity }) =>
        memories.search(query, { limit: count, roomId, minSimilarity }),
      updateMemory: async ({ id, content, metadata }) => {
        await memories.update(id, { content, metadata });
        return true;
      },
      getMemories: ({ roomId, tableName: type, count: limit }) => memories.list({ roomId, type, limit }),
      getRoom: (id) => rooms.get(id),
      getEntityById: (id) => entities.get(id),
      emitEvent: emit,
      registerEvent: (event, handler) => void on(event, handler),
    };
  }

  /** Additional members for elizaOS plugins. */
  elizaMembers({ plugin, unloading, problems, registered }: Owner, agent: Agent, signal: AbortSignal, runtime: () => AgentRuntime): object {
    const { memory, models, services, turns, stores } = this;
    return elizaMembers({
      ...{ plugin, agent, signal, unloading, runtime, memory, models, services, stores, turns, registered },
      conversationLength: this.config.conversationLength,
      failed: (component, error) => void problems.record(component, error),
    });
  }

  /** Stops the service that was started with this runtime. Never rejects. */
  async end(runtime: AgentRuntime): Promise<void> {
    for (const { type, error } of await this.services.stopByRuntime(runtime)) {
      this.log.warn('a service could not be stopped', { service: type, error: String(error) });
    }
  }

  private memoriesOf({ id: agentId }: Agent, plugin: string): AgentRuntime['memories'] {
    return {
      create: (memory: NewMemory) => {
        const { type = 'facts', content, metadata = {} } = memory;
        return this.memory.create(agentId, {
          ...memory,
          type,
          vouched: memory.vouched !== false,
          content: plain(content),
          metadata: { type: 'custom', ...plain(metadata) },
        });
      },
      search: async (query, { limit = 10, roomId, minSimilarity } = {}) => {
        const found = await this.memory.search(agentId, query, { limit, roomId, minSimilarity });
        return found.map(({ memoryId, roomId: room, authorId, text, at, similarity }) => ({
          ...{ id: memoryId, agentId, roomId: room, entityId: authorId, content: { text }, createdAt: at },
          ...(similarity === null ? {} : { similarity }),
        }));
      },
      update: (id, { content, metadata }) => {
        const change = {
          ...(content === undefined ? {} : { content: plain(content) }),
          ...(metadata === undefined ? {} : { metadata: plain(metadata) }),
        };
        return this.memory.update(agentId, id, change, plugin);
      },
      list: async (options = {}) =>
        (await this.memory.list(agentId, options)).map(({ worldId, ...memory }): Memory => ({
          ...memory,
          content: memory.content,
          ...(worldId === null ? {} : { worldId }),
        })),
    };
  }

  private roomsOf({ id: agentId }: Agent): AgentRuntime['rooms'] {
    const { directory } = this.memory;
    return {
      list: async () => (await directory.rooms(agentId)).map(roomOf),
      get: async (id) => {
        const room = await directory.room(agentId, id);
        return room ? roomOf(room) : null;
      },
      entities: async (roomId) => (await directory.entitiesIn(agentId, roomId)).map(entityOf),
    };
  }

  private entitiesOf({ id: agentId }: Agent): AgentRuntime['entities'] {
    const { directory } = this.memory;
    return {
      list: async () => (await directory.entities(agentId)).map(entityOf),
      get: async (id) => {
        const entity = await directory.entity(agentId, id);
        return entity ? entityOf(entity) : null;
      },
    };
  }
}

function roomOf(row: Omit<Room, 'serverId'> & { messageServerId: string | null }): Room {
  const { id, agentId, name, source, type, worldId, channelId, messageServerId: serverId, metadata } = row;
  return { id, agentId, name, source, type, worldId, channelId, serverId, metadata };
}

function entityOf({ id, agentId, names, metadata }: Entity): Entity {
  return { id, agentId, names, metadata };
}

/** A JSON copy, so that the stored value equals the returned one. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
