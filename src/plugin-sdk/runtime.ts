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

/** What a plugin can do in the name of an agent. */
export interface AgentRuntime {
  readonly agentId: string;
  /** The agent's character, without secrets; a copy that the plugin may change. */
  readonly character: { readonly name: string } & Readonly<Record<string, unknown>>;
  /**
   * A setting out of the agent's secrets and settings, the plugin's configuration, or the environment variables that the plugin's
   * configuration declares, in this order. `SERVER_URL` is this server's own address. Null when there is none.
   */
  getSetting(key: string): string | number | boolean | object | null;
  readonly logger: Logger;
  /** Posts as the agent, durably; resolves when the message is on disk. Rejects with a readable message when the channel does not exist. */
  sendMessage(message: OutgoingMessage): Promise<SentMessage>;
  readonly store: PluginStore;
  /** Aborts when the plugin is unloaded, the request has ended or its time is up. */
  readonly abortSignal: AbortSignal;
}
