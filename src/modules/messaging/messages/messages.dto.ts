import { Allow, IsArray, IsOptional, IsString } from 'class-validator';
import { ApiSchema, IfPresent, IsFilledText, IsJsonObject, IsUuidText, MaxCharacters } from '../../../core/http/index.js';
import { IsAttachments, IsMetadata, MAX_KEY_LENGTH, MAX_MESSAGE_LENGTH } from './message-limits.js';
import { TRANSPORT_SCHEMA } from './transport.js';

/** Body of `POST /api/messaging/channels/{channelId}/messages/stream`. */
export class ChannelMessageFields {
  @IsFilledText(MAX_MESSAGE_LENGTH)
  content!: string;

  /** Author of the message; may be sent as the header X-Entity-Id instead. The user of a user token or a session token when absent. */
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
  @IsMetadata()
  metadata?: Record<string, unknown> | null;

  @IfPresent()
  @IsFilledText(MAX_KEY_LENGTH)
  source_type?: string;

  @IfPresent()
  @IsString()
  @MaxCharacters(MAX_KEY_LENGTH)
  author_display_name?: string;

  @IsOptional()
  @IsAttachments()
  attachments?: Record<string, unknown>[] | null;

  /** The author's own id for this message; posting it again returns the stored message. */
  @IfPresent()
  @IsFilledText(MAX_KEY_LENGTH)
  clientMessageId?: string;
}

/** Body of `POST /api/messaging/channels/{channelId}/messages`. */
export class PostChannelMessageBody extends ChannelMessageFields {
  /**
   * How the reply is delivered: `http` and `sync` wait for it, `websocket` (when absent) leaves it to sockets. `sse` and `stream` respond
   * as `POST …/messages/stream` does.
   */
  @ApiSchema(TRANSPORT_SCHEMA)
  transport?: unknown;

  /** Older name of `transport`. */
  @ApiSchema(TRANSPORT_SCHEMA)
  mode?: unknown;
}

export class RawMessageBody {
  @IfPresent()
  @IsString()
  @MaxCharacters(MAX_MESSAGE_LENGTH)
  text?: string;

  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_MESSAGE_LENGTH)
  thought?: string | null;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  actions?: string[] | null;
}

/** The documented fields of `raw_message`; other fields are stored as they are. */
export const RAW_MESSAGE_CLASS = RawMessageBody;

/** Query of `DELETE /api/messaging/channels/{channelId}/messages/all`. */
export class DeleteAllQuery {
  /** Delete only this author's messages; all messages when absent. */
  @IfPresent()
  @IsUuidText()
  userId?: string;
}

/** Number of deleted messages. */
export class DeletedView {
  /** Always true. */
  success!: boolean;
  deleted!: number;
}

/** A stored message, with the field names of the specification and of the original service. */
export class MessageView {
  id!: string;
  channelId!: string;
  serverId!: string;
  /** The same as `serverId`. */
  messageServerId!: string;
  /** The user or agent that wrote the message. */
  authorId!: string;
  authorName!: string | null;
  content!: string;
  /** The message as the author's client sent it; may have `text`, `thought`, `actions` and `attachments`. */
  rawMessage!: Record<string, unknown> | null;
  /** Source of the message; `agent_response` for agents' replies. */
  sourceType!: string;
  sourceId!: string | null;
  metadata!: Record<string, unknown>;
  /** Id of the message replied to. */
  inReplyToRootMessageId!: string | null;
  /** The same as `inReplyToRootMessageId`. @format uuid */
  inReplyTo!: string | null;
  /** Its own id if it is an agent's reply to `inReplyTo`, otherwise null. A message that an action sends is not the reply. */
  replyId!: string | null;
  /** The author's own id for the message. */
  clientMessageId!: string | null;
  isAgent!: boolean;
  /** ISO 8601. */
  createdAt!: string;
  /** ISO 8601; later than `createdAt` after an edit. */
  updatedAt!: string;
  /** Position in the channel. */
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

/** An agent's reply. */
export class AgentResponseView {
  text!: string;
  thought?: string;
  /** Names of the actions that the agent ran. */
  actions!: string[];
  /** Names of the providers that contributed to the prompt. */
  providers!: string[];
  metadata!: Record<string, unknown>;
  /** Whether the agent ran at most one action. */
  simple!: boolean;
  /** The same as `replyId`. @format uuid */
  responseId!: string;
  /** @format uuid */
  agentId!: string;
  /** The same as `replyId`. @format uuid */
  messageId!: string;
  /** Id of the reply's message. @format uuid */
  replyId!: string;
  /** Id of the message replied to. @format uuid */
  inReplyTo!: string;
}

/** A pending reply of an agent. */
export class PendingReplyView {
  /** @format uuid */
  agentId!: string;
  /** Id of the reply's message, once it is stored. @format uuid */
  replyId!: string;
  /** Id of the message replied to. @format uuid */
  inReplyTo!: string;
}

/** A reply that was stopped before its end. */
export class CancelledReplyView {
  /** @format uuid */
  agentId!: string;
  /** Id that the reply would have had. @format uuid */
  replyId!: string;
}

/** The replies to a message that a request stopped; none when all had ended. */
export class CancelledRepliesView {
  /** @format uuid */
  messageId!: string;
  cancelled!: readonly CancelledReplyView[];
}

/** A message that was just stored; with a transport that waits, also the replies. */
export class PostedMessageView extends MessageView {
  /** Id of this message. @format uuid */
  declare inReplyTo: string;
  /** Id of the first pending reply; null when no agent will reply. @format uuid */
  declare replyId: string | null;
  /** Pending replies. */
  replies!: PendingReplyView[];
  userMessage!: MessageView;
  /** Null when no agent replied; absent with a transport that does not wait. */
  agentResponse?: AgentResponseView | null;
  /** All replies, if there are several. */
  agentResponses?: AgentResponseView[];
}

/** The times of a page's oldest and newest message. */
export class PageTimesView {
  /** Epoch ms of the oldest. */
  before!: number;
  /** Epoch ms of the newest. */
  after!: number;
}

/** Opaque cursors of the adjacent pages; stable while messages are stored and deleted. */
export class PageCursorsView {
  /** Send as `before` for older messages. */
  before!: string;
  /** Send as `after` for newer messages. */
  after!: string;
}

/** A page of messages, newest first. */
export class MessagePageView {
  messages!: MessageView[];
  /** Whether more messages follow in the requested direction. */
  hasMore!: boolean;
  /** Absent for an empty page, as is `nextCursor`. */
  cursors?: PageTimesView;
  nextCursor?: PageCursorsView;
}

/** Query of a list of messages. */
export class MessagesQuery {
  /** Page size, clamped to 1 to 100; 50 when absent. */
  @Allow()
  limit?: string;

  /** Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */
  @Allow()
  before?: string;

  /** Only messages after this one: epoch ms, an ISO 8601 instant or a cursor. */
  @Allow()
  after?: string;
}

/** Body of `PATCH /api/messaging/messages/{messageId}`. Absent fields stay as they are. */
export class UpdateMessageBody {
  @IfPresent()
  @IsFilledText(MAX_MESSAGE_LENGTH)
  content?: string;

  /** Replaces the stored metadata. */
  @IfPresent()
  @IsMetadata()
  metadata?: Record<string, unknown>;
}
