/** Content of a message of a user or an agent (contract 5.6, "Content"). */
export interface Content {
  text?: string;
  thought?: string;
  actions?: string[];
  providers?: string[];
  source?: string;
  url?: string;
  inReplyTo?: string;
  attachments?: Record<string, unknown>[];
  channelType?: string;
  [key: string]: unknown;
}

/** A message, or anything else an agent remembers. */
export interface Memory {
  id?: string;
  entityId: string;
  agentId?: string;
  /** A room of the agent; for a channel's message, the room of the channel. */
  roomId: string;
  worldId?: string;
  content: Content;
  metadata?: Record<string, unknown>;
  /** Epoch ms. */
  createdAt?: number;
  unique?: boolean;
  similarity?: number;
  /** Channel of the message, for `sendMessage`. */
  channelId?: string;
  /** For the message of a turn: false when no credential vouches for its author, so that the identity is unverified. */
  vouched?: boolean;
}

/** Combined results of the providers for a message. */
export interface State {
  values: Record<string, unknown>;
  data: Record<string, unknown>;
  text: string;
  [key: string]: unknown;
}
