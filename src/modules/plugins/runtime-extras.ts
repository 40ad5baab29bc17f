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
import type { PluginFaults } from './plugin-faults.js';
import { PluginStores } from './plugin-stores.js';
import { elizaMembers } from './runtime-eliza.js';

/** The part of a runtime that is about more than messages and settings. */
export type Extras = Pick<
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

/** What an extra part is registered for. */
interface Owner {
  readonly plugin: string;
  /** Ends what the plugin listens to. */
  readonly unloading: AbortSignal;
  readonly faults: PluginFaults;
  readonly registered: Map<string, () => void>;
}

/** Makes that part, for one plugin and one agent. */
@Injectable()
export class RuntimeExtras {
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

  /** @param runtime the whole runtime, for handlers of events */
  of({ unloading }: Owner, agent: Agent, signal: AbortSignal, runtime: () => AgentRuntime): Extras {
    const memories = this.memoriesOf(agent);
    const rooms = this.roomsOf(agent);
    const entities = this.entitiesOf(agent);
    const emit: AgentRuntime['emit'] = (event, payload = {}) => this.events.emit(agent, event, payload);
    const on = (event: string, handler: EventHandler): (() => void) => {
      const call = (_agent: Agent, payload: object): unknown => handler({ source: 'runtime', ...payload, runtime: runtime() });
      const off = this.events.on({ event, agentId: agent.id, call });
      const end = (): void => {
        off();
        unloading.removeEventListener('abort', end);
      };
      unloading.addEventListener('abort', end, { once: true });
      return end;
    };
    return {
      memories,
      rooms,
      entities,
      emit,
      on,
      useModel: (type, params) => this.models.ask(agent, type, params, signal),
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

  /** What plugins of elizaOS find beside that. */
  eliza({ plugin, unloading, faults, registered }: Owner, agent: Agent, signal: AbortSignal, runtime: () => AgentRuntime): object {
    const { memory, models, services, turns, stores } = this;
    return elizaMembers({
      ...{ plugin, agent, signal, unloading, runtime, memory, models, services, stores, turns, registered },
      conversationLength: this.config.conversationLength,
      failed: (component, error) => void faults.note(component, error),
    });
  }

  /** Ends the service that was started with this runtime. Never rejects. */
  async end(runtime: AgentRuntime): Promise<void> {
    for (const { type, error } of await this.services.abandon(runtime)) {
      this.log.warn('a service could not be stopped', { service: type, error: String(error) });
    }
  }

  private memoriesOf({ id: agentId }: Agent): AgentRuntime['memories'] {
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
      update: (id, { content, metadata }) =>
        this.memory.update(agentId, id, {
          ...(content === undefined ? {} : { content: plain(content) }),
          ...(metadata === undefined ? {} : { metadata: plain(metadata) }),
        }),
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

/** JSON alone: what is stored comes back as it was given. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
