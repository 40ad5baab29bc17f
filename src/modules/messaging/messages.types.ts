import type { JournalMessage } from '../../core/journal/index.js';

/** A stored message. Instants are epoch ms. */
export interface Message extends JournalMessage {
  /** Position in the channel: strictly increasing, the order of everything that lists messages. */
  readonly seq: number;
  /** Offset of its `message.created` entry in the journal. */
  readonly offset: number;
}

/** A message to be stored, whichever door it came through. */
export interface PostMessage {
  /** Chosen by the caller; the same id with the same content is the same message, not a second one. */
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
  /** The author's own id for the message; posting it again answers the stored message. */
  readonly clientMessageId?: string | null;
  /** Whether the credential that it came with vouches for the author; what is not vouched for is recalled in its own channel only. */
  readonly vouched: boolean;
  /** When false no agent owes an answer. Messages written by agents never cause turns. */
  readonly wantsReply?: boolean;
}

/** What of a stored message changes. */
export interface UpdateMessage {
  readonly content?: string;
  readonly rawMessage?: Record<string, unknown>;
  readonly sourceType?: string;
  readonly sourceId?: string;
  readonly inReplyTo?: string;
  readonly authorId?: string;
  readonly metadata?: Record<string, unknown>;
}

export interface Posted {
  readonly message: Message;
  /** True when the message had been stored by an earlier, identical request. */
  readonly replayed: boolean;
}

/** A position between messages: an instant in epoch ms, or a message's `seq` out of an opaque cursor. */
export type Cursor = { readonly at: number } | { readonly seq: number };

export interface HistoryQuery {
  readonly limit: number;
  readonly before?: Cursor;
  readonly after?: Cursor;
}

/** Newest first, in every mode. */
export interface HistoryPage {
  readonly messages: Message[];
  readonly hasMore: boolean;
}
