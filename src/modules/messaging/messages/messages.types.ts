import type { ColumnsOf } from '../../../core/database/index.js';
import type { MessageRow } from '../entities/message.entity.js';

/** A stored message. Instants are epoch ms. */
export interface Message extends ColumnsOf<MessageRow> {
  readonly serverId: string;
  /** Expected replies: the agents, and the id of each agent's reply. */
  readonly awaiting: { agentId: string; replyId: string }[];
}

/** A message to be stored, without a position. */
export type MessageDraft = Omit<Message, 'seq' | 'offset'>;

/** A message as stored in the journal: with all fields, so that readers need no further query. */
export type JournalMessage = MessageDraft;

/** The command that stores a message, for all interfaces. */
export interface PostMessage {
  /** Chosen by the caller; posting the same content with the same id again returns the stored message. */
  readonly id?: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly authorKind: 'user' | 'agent';
  readonly authorName?: string | null;
  readonly content: string;
  readonly rawMessage?: Record<string, unknown> | null;
  readonly sourceType: string;
  readonly sourceId?: string | null;
  readonly metadata?: Record<string, unknown>;
  readonly inReplyTo?: string | null;
  /** The author's own id for the message; posting it again returns the stored message. */
  readonly clientMessageId?: string | null;
  /** Whether the sender's credential vouches for the author; other messages are recalled in their own channel only. */
  readonly vouched: boolean;
  /** When false, no agent replies. Messages of agents never cause turns. */
  readonly wantsReply?: boolean;
}

/** A change of a stored message; absent fields stay unchanged. */
export interface UpdateMessage {
  readonly content?: string;
  readonly rawMessage?: Record<string, unknown>;
  readonly sourceType?: string;
  readonly sourceId?: string;
  readonly inReplyTo?: string;
  readonly authorId?: string;
  readonly metadata?: Record<string, unknown>;
}

export interface PostResult {
  readonly message: Message;
  /** True when an earlier, identical request stored the message. */
  readonly replayed: boolean;
}

/** A position in a channel: an instant in epoch ms, or a message's `seq` from an opaque cursor. */
export type HistoryPosition = { readonly at: number } | { readonly seq: number };

export interface HistoryQuery {
  readonly limit: number;
  readonly before?: HistoryPosition;
  readonly after?: HistoryPosition;
}

/** Newest first, in every mode. */
export interface HistoryPage {
  readonly messages: Message[];
  readonly hasMore: boolean;
}

/** An agent's reply (contract 5.6, "Content"). */
export interface ReplyContent {
  text: string;
  thought?: string;
  actions: string[];
  providers: string[];
  metadata: Record<string, unknown>;
}

/** A client's report that the replies to a message, or in a channel, are complete. */
export interface Completion {
  readonly messageId?: string;
  readonly channelId?: string;
  readonly status: 'completed' | 'failed';
  readonly error?: string;
}

/** Author and first words of a message. */
export interface MessageBeginning {
  readonly authorId: string;
  readonly text: string;
}
