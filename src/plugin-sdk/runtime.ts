import type { Content, Memory, State } from './conversation.js';

/** A message that an agent posts. */
export interface OutgoingMessage {
  readonly channelId: string;
  readonly text: string;
  readonly thought?: string;
  readonly actions?: readonly string[];
  readonly attachments?: readonly Record<string, unknown>[];
  readonly metadata?: Record<string, unknown>;
  /** Id of the message; sending the same id with the same content again does not post it again. */
  readonly id?: string;
  readonly inReplyTo?: string;
  /** False for a text that follows from words no credential vouches for; it is recalled in its channel only. True when absent. */
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

/** What a plugin keeps for itself: durable, and its own. Values are JSON. */
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

/** Always with `runtime` and `source` in it. */
export type EventPayload = Readonly<Record<string, unknown>>;
export type EventHandler = (payload: EventPayload) => unknown;

/** What an agent remembers. */
export interface AgentMemories {
  /** Stores a memory of the type (`facts` when absent); resolves with its id. */
  create(memory: NewMemory): Promise<string>;
  /** Memories that have to do with the query, the nearest first. */
  search(query: string, options?: MemorySearch): Promise<Memory[]>;
  /** Changes what is remembered. Rejects when the agent has no such memory. */
  update(id: string, change: { content?: Content; metadata?: Record<string, unknown> }): Promise<void>;
  /** The newest, newest first. */
  list(options?: { roomId?: string; type?: string; limit?: number }): Promise<Memory[]>;
}

export interface NewMemory {
  readonly id?: string;
  /** The "table name" of other servers: `facts`, `documents`, … */
  readonly type?: string;
  /** The agent's own room when absent. */
  readonly roomId?: string;
  /** Whose words these are; the agent's when absent. */
  readonly entityId?: string;
  readonly content: Content;
  readonly metadata?: Record<string, unknown>;
  /** False for words of a user for whom no credential vouches (`vouched` of the message); it is recalled in its room only. True when absent. */
  readonly vouched?: boolean;
}

export interface MemorySearch {
  readonly limit?: number;
  readonly roomId?: string;
  /** Least similarity, -1 to 1. */
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

/** The rooms of an agent; a channel is a room of each agent in it. */
export interface AgentRooms {
  list(): Promise<Room[]>;
  get(id: string): Promise<Room | null>;
  /** Who is in a room of the agent. */
  entities(roomId: string): Promise<Entity[]>;
}

/** Those whom an agent has met. */
export interface AgentEntities {
  list(): Promise<Entity[]>;
  get(id: string): Promise<Entity | null>;
}

/** What a plugin can do in the name of an agent. */
export interface AgentRuntime {
  readonly agentId: string;
  /** The agent's character, without secrets; a copy that the plugin may change. */
  readonly character: { readonly name: string } & Readonly<Record<string, unknown>>;
  /**
   * A setting: out of the agent's secrets, its settings, the environment variables that the plugin declares (`config`, or
   * `agentConfig.pluginParameters` of its package.json) and those of `PLUGIN_ENV`, then the declared default, in this order. `SERVER_URL` is
   * this server's own address. Null when there is none. The server's own keys are never given.
   */
  getSetting(key: string): string | number | boolean | object | null;
  readonly logger: Logger;
  /** Posts as the agent, durably; resolves when the message is on disk. Rejects with a readable message when the channel does not exist. */
  sendMessage(message: OutgoingMessage): Promise<SentMessage>;
  readonly store: PluginStore;
  /** Aborts when the plugin is unloaded, the request has ended or its time is up. */
  readonly abortSignal: AbortSignal;
  readonly memories: AgentMemories;
  readonly rooms: AgentRooms;
  readonly entities: AgentEntities;
  /**
   * Asks a model: a plugin's, the one with the highest priority first, else the server's own (texts and embeddings).
   * Rejects with `No handler found for delegate type: …` when there is none of this type.
   */
  useModel(type: string, params?: unknown): Promise<unknown>;
  /** Tells every handler of the event, in all plugins, at the same time; rejects with what the first of them throws. */
  emit(event: string, payload?: Record<string, unknown>): Promise<void>;
  /** Hears an event of this agent until the plugin is unloaded. @returns what ends it before */
  on(event: string, handler: EventHandler): () => void;
  /** The running service of a type; null when there is none. */
  getService(type: string): ServiceInstance | null;
  /** What the providers say about a message: all that are neither dynamic nor private and those that are included, or only these. */
  composeState(message: Memory, include?: readonly string[] | null, only?: boolean): Promise<State>;
  // The same under the names that plugins of elizaOS use.
  createMemory(memory: Partial<Memory> & { content: Content }, tableName?: string): Promise<string>;
  searchMemories(options: { query: string; count?: number; roomId?: string; match_threshold?: number }): Promise<Memory[]>;
  updateMemory(memory: { id: string; content?: Content; metadata?: Record<string, unknown> }): Promise<boolean>;
  getMemories(options: { roomId?: string; tableName?: string; count?: number }): Promise<Memory[]>;
  getRoom(id: string): Promise<Room | null>;
  getEntityById(id: string): Promise<Entity | null>;
  emitEvent(event: string, payload?: Record<string, unknown>): Promise<void>;
  registerEvent(event: string, handler: EventHandler): void;
}
