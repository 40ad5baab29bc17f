/** A message of a channel, as events tell of it. */
export class MessageEventView {
  [field: string]: unknown;

  /** @format uuid */
  id!: string;
  channelId!: string;
  authorId!: string;
  authorName!: string | null;
  isAgent!: boolean;
  text!: string;
  /** Epoch ms. */
  createdAt!: number;
  /** Epoch ms. */
  updatedAt!: number;
  /** The message's own id if it is the reply to another, else null. @format uuid */
  replyId!: string | null;
  /** Id of the message that it replies to, else null. @format uuid */
  inReplyTo!: string | null;
  /** The author's own id of the message. */
  clientMessageId?: string | null;
  metadata!: Record<string, unknown>;
}

export class MessageDeletedEventView {
  [field: string]: unknown;

  channelId!: string;
  /** @format uuid */
  messageId!: string;
}

export class ChannelEventView {
  [field: string]: unknown;

  channelId!: string;
}
