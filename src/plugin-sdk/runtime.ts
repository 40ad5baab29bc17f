import type { Content, Memory, State } from './conversation.js';

/** A message to post as an agent. */
export interface OutgoingMessage {
  readonly channelId: string;
  readonly text: string;
  readonly thought?: string;
  readonly actions?: readonly string[];
  readonly attachments?: readonly Record<string, unknown>[];
  readonly metadata?: Record<string, unknown>;
  /** Id of the message. Repeating a message with the same id and content does not post it again. */
  readonly id?: string;
  readonly inReplyTo?: string;
  /** False for text derived from content that no credential vouches for; it is recalled in its channel only. True by default. */
  readonly vouched?: boolean;
}

export interface SentMessage {
  readonly id: string;
  readonly channelId: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Durable key-value store of a plugin. Values are JSON. */
export interface PluginStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** Keys that begin with `prefix`, in order; at most 1000. */
  keys(prefix?: string): Promise<string[]>;
}

/** A running service. */
export interface ServiceInstance {
  readonly capabilityDescription?: string;
  stop?(): unknown;
}

/** Always contains `runtime` and `source`. */
export type EventPayload = Readonly<Record<string, unknown>>;
export type EventHandler = (payload: EventPayload) => unknown;

/** The memories of an agent. */
export interface AgentMemories {
  /** Stores a memory; resolves with its id. */
  create(memory: NewMemory): Promise<string>;
  /** Memories relevant to the query, most similar first. */
  search(query: string, options?: MemorySearch): Promise<Memory[]>;
  /** Updates a memory. Rejects when the agent has no such memory. */
  update(id: string, change: { content?: Content; metadata?: Record<string, unknown> }): Promise<void>;
  /** The newest memories, newest first. */
  list(options?: { roomId?: string; type?: string; limit?: number }): Promise<Memory[]>;
}

export interface NewMemory {
  readonly id?: string;
  /** `facts` by default, `documents`, …; called table name in other servers. */
  readonly type?: string;
  /** The agent's own room by default. */
  readonly roomId?: string;
  /** Author of the content; the agent by default. */
  readonly entityId?: string;
  readonly content: Content;
  readonly metadata?: Record<string, unknown>;
  /** False for content of a user that no credential vouches for (`vouched` of the message); recalled in its room only. True by default. */
  readonly vouched?: boolean;
}

export interface MemorySearch {
  readonly limit?: number;
  readonly roomId?: string;
  /** Minimum similarity, -1 to 1. */
  readonly minSimilarity?: number;
}

export interface Room {
  readonly id: string;
  readonly agentId: string;
  readonly name: string;
  readonly source: string;
  readonly type: string;
  readonly worldId: string | null;
  readonly channelId: string | null;
  readonly serverId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Entity {
  readonly id: string;
  readonly agentId: string;
  readonly names: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The rooms of an agent. Each agent has a room of its own for each of its channels. */
export interface AgentRooms {
  list(): Promise<Room[]>;
  get(id: string): Promise<Room | null>;
  /** Entities in a room of the agent. */
  entities(roomId: string): Promise<Entity[]>;
}

/** The entities (users and agents) known to an agent. */
export interface AgentEntities {
  list(): Promise<Entity[]>;
  get(id: string): Promise<Entity | null>;
}

/** Access of a plugin to the server, on behalf of an agent. */
export interface AgentRuntime {
  readonly agentId: string;
  /** A copy of the agent's character, without secrets. */
  readonly character: { readonly name: string } & Readonly<Record<string, unknown>>;
  /**
   * A setting: from the agent's secrets, its settings, the environment variables that the plugin declares (`config`, or
   * `agentConfig.pluginParameters` of its package.json) and those of `PLUGIN_ENV`, or the declared default, in this order. Null if not set.
   * `SERVER_URL` is the address of this server. Keys of the server are never returned.
   */
  getSetting(key: string): string | number | boolean | object | null;
  readonly logger: Logger;
  /** Posts a message as the agent; resolves when it is stored. Rejects when the channel does not exist. */
  sendMessage(message: OutgoingMessage): Promise<SentMessage>;
  readonly store: PluginStore;
  /** Aborts when the plugin is unloaded, the request has ended or its time limit is exceeded. */
  readonly abortSignal: AbortSignal;
  readonly memories: AgentMemories;
  readonly rooms: AgentRooms;
  readonly entities: AgentEntities;
  /**
   * Calls a model: that of the plugin with the highest priority, or else the server's own (texts and embeddings).
   * Rejects with `No handler found for delegate type: …` for an unknown type.
   */
  useModel(type: string, params?: unknown): Promise<unknown>;
  /** Calls the handlers of the event in all plugins concurrently; rejects with the first error. */
  emit(event: string, payload?: Record<string, unknown>): Promise<void>;
  /** Subscribes to an event of this agent until the plugin is unloaded. @returns a function that unsubscribes */
  on(event: string, handler: EventHandler): () => void;
  /** The running service of a type, or null. */
  getService(type: string): ServiceInstance | null;
  /** Runs providers for a message: those in `include`, and unless `only` is true also all that are neither dynamic nor private. */
  composeState(message: Memory, include?: readonly string[] | null, only?: boolean): Promise<State>;
  // Aliases for plugins of elizaOS.
  createMemory(memory: Partial<Memory> & { content: Content }, tableName?: string): Promise<string>;
  searchMemories(options: { query: string; count?: number; roomId?: string; match_threshold?: number }): Promise<Memory[]>;
  updateMemory(memory: { id: string; content?: Content; metadata?: Record<string, unknown> }): Promise<boolean>;
  getMemories(options: { roomId?: string; tableName?: string; count?: number }): Promise<Memory[]>;
  getRoom(id: string): Promise<Room | null>;
  getEntityById(id: string): Promise<Entity | null>;
  emitEvent(event: string, payload?: Record<string, unknown>): Promise<void>;
  registerEvent(event: string, handler: EventHandler): void;
}
