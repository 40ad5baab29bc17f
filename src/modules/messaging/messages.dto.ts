import { Allow, IsArray, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { Described, IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { TRANSPORT_SCHEMA } from './transport.js';
import type { UpdateMessage } from './messages.types.js';

/** Longest text of a message, characters. */
export const LONGEST_MESSAGE = 100_000;
const LONGEST_KEY = 255;
/** Longest `raw_message`, characters of JSON. */
export const LONGEST_RAW_MESSAGE = 1_000_000;

/** Body of `POST /api/messaging/channels/{channelId}/messages`. */
export class PostChannelMessageBody {
  @IsFilledText(LONGEST_MESSAGE)
  content!: string;

  /** Who writes; X-Entity-Id stands in for it. */
  @IfPresent()
  @IsUuidText()
  author_id?: string;

  @IfPresent()
  @IsUuidText()
  authorId?: string;

  @IfPresent()
  @IsUuidText()
  message_server_id?: string;

  @IfPresent()
  @IsUuidText()
  server_id?: string;

  @IsOptional()
  @IsUuidText()
  in_reply_to_message_id?: string | null;

  @IsOptional()
  @IsJsonObject()
  raw_message?: Record<string, unknown> | null;

  @IsOptional()
  @IsJsonObject()
  metadata?: Record<string, unknown> | null;

  @IfPresent()
  @IsFilledText(LONGEST_KEY)
  source_type?: string;

  @IfPresent()
  @IsString()
  @MaxLength(LONGEST_KEY)
  author_display_name?: string;

  @IsOptional()
  @IsArray()
  @IsObject({ each: true })
  attachments?: Record<string, unknown>[] | null;

  /** The author's own id for this message; sending it again does not store it again. */
  @IfPresent()
  @IsFilledText(LONGEST_KEY)
  clientMessageId?: string;

  /** How the answer is heard: over socket.io when it is left out. */
  @Described(TRANSPORT_SCHEMA)
  transport?: unknown;

  /** Older name of `transport`. */
  @Described(TRANSPORT_SCHEMA)
  mode?: unknown;
}

export class RawMessageBody {
  @IfPresent()
  @IsString()
  @MaxLength(LONGEST_MESSAGE)
  text?: string;

  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_MESSAGE)
  thought?: string | null;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  actions?: string[] | null;
}

/** The fields of `raw_message` that have a type; others pass through. */
export const RAW_MESSAGE_CLASS = RawMessageBody;

/** Query of `DELETE /api/messaging/channels/{channelId}/messages/all`. */
export class DeleteAllQuery {
  /** The author whose messages are meant; all authors when it is left out. */
  @IfPresent()
  @IsUuidText()
  userId?: string;
}

/** How many messages were deleted. */
export class DeletedView {
  /** Always true. */
  success!: boolean;
  deleted!: number;
}

/** A stored message, in the specification's spelling and in the original service's. */
export class MessageView {
  id!: string;
  channelId!: string;
  serverId!: string;
  /** The same as `serverId`. */
  messageServerId!: string;
  /** The user or agent that wrote it. */
  authorId!: string;
  authorName!: string | null;
  content!: string;
  /** The message as its author's program sent it, with `text`, `thought`, `actions` and `attachments` where it has them. */
  rawMessage!: Record<string, unknown> | null;
  /** Where it came from; `agent_response` marks what an agent wrote. */
  sourceType!: string;
  sourceId!: string | null;
  metadata!: Record<string, unknown>;
  /** The message that it answers. */
  inReplyToRootMessageId!: string | null;
  /** The same as `inReplyToRootMessageId`. @format uuid */
  inReplyTo!: string | null;
  /** Its own id when it is an agent's reply to `inReplyTo`, else null; what an action says on the way is no reply. */
  replyId!: string | null;
  /** The author's own id for it. */
  clientMessageId!: string | null;
  isAgent!: boolean;
  /** ISO 8601. */
  createdAt!: string;
  /** ISO 8601; later than `createdAt` when it was edited. */
  updatedAt!: string;
  /** Position in its channel. */
  seq!: number;
  /** Position in the journal. */
  offset!: number;
  channel_id!: string;
  server_id!: string;
  message_server_id!: string;
  author_id!: string;
  raw_message!: Record<string, unknown> | null;
  source_type!: string;
  in_reply_to_message_id!: string | null;
  /** Epoch milliseconds. */
  created_at!: number;
  /** Epoch milliseconds. */
  updated_at!: number;
}

/** What an agent answered. */
export class AgentResponseView {
  text!: string;
  thought?: string;
  /** Names of the actions it took. */
  actions!: string[];
  /** Names of the providers that it looked into. */
  providers!: string[];
  metadata!: Record<string, unknown>;
  /** Whether it took no more than one action. */
  simple!: boolean;
  /** The same as `replyId`. @format uuid */
  responseId!: string;
  /** @format uuid */
  agentId!: string;
  /** The same as `replyId`. @format uuid */
  messageId!: string;
  /** Its message. @format uuid */
  replyId!: string;
  /** The message that it answers. @format uuid */
  inReplyTo!: string;
}

/** An answer that an agent owes. */
export class OwedReplyView {
  /** @format uuid */
  agentId!: string;
  /** Id that the reply will have. @format uuid */
  replyId!: string;
  /** The message that it will answer. @format uuid */
  inReplyTo!: string;
}

/** A message that was just stored, and with a transport that waits, what came of it. */
export class PostedMessageView extends MessageView {
  /** Id of this message: what the replies answer. @format uuid */
  declare inReplyTo: string;
  /** Id that the first reply will have; null when no agent owes one. @format uuid */
  declare replyId: string | null;
  /** The answers that are owed to it. */
  replies!: OwedReplyView[];
  userMessage!: MessageView;
  /** Null when every agent kept silent; absent with a transport that does not wait. */
  agentResponse?: AgentResponseView | null;
  /** All answers, when there are several. */
  agentResponses?: AgentResponseView[];
}

/** The times of the first and the last message of a page. */
export class PageTimesView {
  /** Epoch ms of the oldest. */
  before!: number;
  /** Epoch ms of the newest. */
  after!: number;
}

/** Where a page ends on either side; stable while messages come and go. */
export class PageCursorsView {
  /** Leads to older ones, as `before`. */
  before!: string;
  /** Leads to newer ones, as `after`. */
  after!: string;
}

/** A page of messages, newest first. */
export class MessagePageView {
  messages!: MessageView[];
  /** Whether there are more in the direction that was asked for. */
  hasMore!: boolean;
  /** Absent for an empty page, as is `nextCursor`. */
  cursors?: PageTimesView;
  nextCursor?: PageCursorsView;
}

/** Query of a list of messages. */
export class MessagesQuery {
  /** Messages in a page, 1 to 100; 50 when it is left out. What is outside is brought inside. */
  @Allow()
  limit?: string;

  /** Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */
  @Allow()
  before?: string;

  /** Only messages after it. */
  @Allow()
  after?: string;
}

/** Body of `PATCH /api/messaging/messages/{messageId}`. Absent fields stay as they are. */
export class UpdateMessageBody {
  @IfPresent()
  @IsFilledText(LONGEST_MESSAGE)
  content?: string;

  /** Replaces the stored metadata. */
  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;
}

/** Body of `PATCH /api/messaging/action/{messageId}`. Absent fields stay as they are. */
export class UpdateActionBody extends UpdateMessageBody {
  /** Replaces the stored one. */
  @IfPresent()
  @IsJsonObject(LONGEST_RAW_MESSAGE)
  raw_message?: Record<string, unknown>;

  @IfPresent()
  @IsFilledText(LONGEST_KEY)
  source_type?: string;

  @IfPresent()
  @IsUuidText()
  in_reply_to_message_id?: string;

  @IfPresent()
  @IsUuidText()
  author_id?: string;

  /** The message's id on the platform that it came from. */
  @IfPresent()
  @IsFilledText(LONGEST_KEY)
  server_message_id?: string;
}

export function toMessageChange(body: UpdateMessageBody | UpdateActionBody): UpdateMessage {
  const { content, metadata } = body;
  if (!(body instanceof UpdateActionBody)) return { content, metadata };
  const { raw_message, source_type, in_reply_to_message_id, author_id, server_message_id } = body;
  return {
    content,
    metadata,
    rawMessage: raw_message,
    sourceType: source_type,
    inReplyTo: in_reply_to_message_id?.toLowerCase(),
    authorId: author_id?.toLowerCase(),
    sourceId: server_message_id,
  };
}
