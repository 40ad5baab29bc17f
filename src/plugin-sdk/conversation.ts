/** What somebody says, or an agent answers (contract 5.6, "Content"). */
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
  /** The agent's own room; for a message of a channel the one that stands for the channel. */
  roomId: string;
  worldId?: string;
  content: Content;
  metadata?: Record<string, unknown>;
  /** Epoch ms. */
  createdAt?: number;
  unique?: boolean;
  similarity?: number;
  /** Channel of the message; what `sendMessage` takes. */
  channelId?: string;
  /** Of the message of a turn: false when no credential vouches for its author, who may be anybody. */
  vouched?: boolean;
}

/** What the providers have said about a message. */
export interface State {
  values: Record<string, unknown>;
  data: Record<string, unknown>;
  text: string;
  [key: string]: unknown;
}
