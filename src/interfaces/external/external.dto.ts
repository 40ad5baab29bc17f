import { IsIn, IsOptional, IsString } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { Check, IfPresent, IsFilledText, IsJsonObject, IsListOf, IsUuidText, MaxCharacters } from '../../core/http/index.js';
import { hasAtMost } from '../../core/text/index.js';
import {
  IsAttachments,
  IsMetadata,
  MAX_MESSAGE_LENGTH,
  MAX_RAW_MESSAGE_LENGTH,
  type Completion,
  type ExternalMessage,
  type ExternalPrompt,
} from '../../modules/messaging/index.js';

const MAX_NAME_LENGTH = 255;
const MAX_MESSAGES = 100;

/** A message of another platform, in a batch. */
export class ExternalMessageBody {
  /** Id on the platform; a repeated message is stored once. */
  @IsExternalId()
  id!: string;

  /** Id of the author: a UUID of a user, or the id on the platform. */
  @IsExternalId()
  authorId!: string;

  @IsFilledText(MAX_MESSAGE_LENGTH)
  content!: string;

  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  authorName?: string;

  /** When it was written; stored in the metadata. */
  @IsOptional()
  @IsTimestamp()
  timestamp?: number | string | null;

  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, unknown> | null;
}

/**
 * Body of `POST /api/messaging/ingest-external`: a message for a channel (`channel_id`, `author_id`, `content`), a message for an agent
 * (`roomId`, `userId`, `text`), or a batch for a channel of another platform (`platform`, `channelId`, `messages`).
 */
export class IngestBody {
  @IfPresent()
  @IsUuidText()
  channel_id?: string;

  @IfPresent()
  @IsUuidText()
  message_server_id?: string;

  /** Alias of `message_server_id`. */
  @IfPresent()
  @IsUuidText()
  server_id?: string;

  @IfPresent()
  @IsUuidText()
  author_id?: string;

  @IfPresent()
  @IsFilledText(MAX_MESSAGE_LENGTH)
  content?: string;

  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_NAME_LENGTH)
  author_display_name?: string | null;

  @IsOptional()
  @IsJsonObject(MAX_RAW_MESSAGE_LENGTH)
  raw_message?: Record<string, unknown> | null;

  /** The message's id on the platform; a repeated message is stored once. */
  @IsOptional()
  @IsFilledText(MAX_NAME_LENGTH)
  source_id?: string | null;

  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  source_type?: string;

  @IsOptional()
  @IsUuidText()
  in_reply_to_message_id?: string | null;

  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, unknown> | null;

  /** The agent that should reply. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  /** The channel: a UUID, or its id on the platform. */
  @IfPresent()
  @IsExternalId()
  roomId?: string;

  /** The author: a UUID, or the id on the platform. */
  @IfPresent()
  @IsExternalId()
  userId?: string;

  @IfPresent()
  @IsFilledText(MAX_MESSAGE_LENGTH)
  text?: string;

  /** Alias of `source_id`. */
  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  sourceId?: string;

  /** Alias of `source_type`. */
  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  sourceType?: string;

  /** The platform of a batch. */
  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  platform?: string;

  /** The channel of a batch. */
  @IfPresent()
  @IsExternalId()
  channelId?: string;

  @IfPresent()
  @IsListOf(ExternalMessageBody, MAX_MESSAGES)
  messages?: ExternalMessageBody[];
}

/** Body of `POST /api/messaging/external-messages`. */
export class AskExternalBody {
  @IsFilledText(MAX_NAME_LENGTH)
  platform!: string;

  /** The message's id on the platform; a repeated request returns the same response. */
  @IsExternalId()
  messageId!: string;

  /** The channel: a UUID, or its id on the platform. */
  @IsExternalId()
  channelId!: string;

  /** The author: a UUID, or the id on the platform. */
  @IsExternalId()
  userId!: string;

  @IsFilledText(MAX_MESSAGE_LENGTH)
  content!: string;

  /** The agent that should reply; by default the first running one when the channel does not exist yet. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  @IsOptional()
  @IsAttachments()
  attachments?: Record<string, unknown>[] | null;

  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, unknown> | null;
}

/**
 * Body of `POST /api/messaging/complete`: a question to an agent (`agentId`, `userId`, `prompt`), or the announcement that no more replies
 * follow to a message (`messageId`, `status`) or in a channel (`channel_id`).
 */
export class CompleteBody {
  @IfPresent()
  @IsUuidText()
  messageId?: string;

  @IfPresent()
  @IsIn(['completed', 'failed'])
  status?: 'completed' | 'failed';

  @IsOptional()
  @IsString()
  @MaxCharacters(10_000)
  error?: string | null;

  @IfPresent()
  @IsUuidText()
  channel_id?: string;

  @IfPresent()
  @IsUuidText()
  message_server_id?: string;

  @IfPresent()
  @IsUuidText()
  agentId?: string;

  /** The channel of a question: a UUID or any text; by default the direct channel of user and agent. */
  @IfPresent()
  @IsExternalId()
  roomId?: string;

  /** The user that asks: a UUID or any text. */
  @IfPresent()
  @IsExternalId()
  userId?: string;

  @IfPresent()
  @IsFilledText(MAX_MESSAGE_LENGTH)
  prompt?: string;
}

/** The stored messages. */
export class IngestedView {
  /** Id of the first message. @format uuid */
  messageId!: string | null;
  /** Ids of all messages, in order. */
  messageIds!: string[];
  /** Number of messages. */
  processed!: number;
  message!: string;
}

/** An agent's reply to a message of another platform. */
export class ExternalReplyView {
  /** Id of the stored message. @format uuid */
  messageId!: string;
  /** Id of the message replied to; the same as `messageId`. @format uuid */
  inReplyTo!: string;
  /** Id of the reply; null when the agent stays silent. @format uuid */
  replyId!: string | null;
  /** Null when the agent stays silent. */
  response!: string | null;
}

/** Confirmation of an announcement, or the reply to a question. */
export class CompletedView {
  /** Always true. */
  success!: boolean;
  /** The reply; null when the agent stays silent, absent for an announcement. */
  response?: string | null;
}

/** @throws AppError VALIDATION_ERROR naming the missing field */
export function toExternalMessages(body: IngestBody): ExternalMessage[] {
  if (body.messages !== undefined) return batchOf(body, body.messages);
  const platform = body.source_type ?? body.sourceType ?? 'external';
  const room = body.channel_id ?? body.roomId;
  const author = body.author_id ?? body.userId;
  const content = body.content ?? body.text;
  if (room === undefined) throw missing('channel_id');
  if (author === undefined) throw missing('author_id');
  if (content === undefined) throw missing('content');
  return [
    {
      platform,
      channel: room,
      serverId: body.message_server_id ?? body.server_id,
      author,
      authorName: body.author_display_name ?? null,
      content,
      rawMessage: body.raw_message ?? null,
      sourceId: body.source_id ?? body.sourceId ?? null,
      inReplyTo: body.in_reply_to_message_id ?? null,
      metadata: body.metadata ?? {},
      agentId: body.agentId,
    },
  ];
}

export function toQuestion(body: AskExternalBody): ExternalMessage {
  const { platform, messageId, channelId, userId, content, agentId, attachments, metadata } = body;
  return {
    platform,
    channel: channelId,
    author: userId,
    authorName: null,
    content,
    rawMessage: attachments ? { text: content, attachments } : null,
    sourceId: messageId,
    inReplyTo: null,
    metadata: metadata ?? {},
    agentId,
  };
}

/** @throws AppError VALIDATION_ERROR when the body has none of the three forms */
export function toCompletion(body: CompleteBody): ExternalPrompt | Completion {
  const { agentId, roomId, userId, prompt, messageId, channel_id: channelId, status = 'completed', error } = body;
  if (prompt !== undefined) {
    if (agentId === undefined) throw missing('agentId');
    if (userId === undefined) throw missing('userId');
    return {
      agentId,
      user: userId,
      prompt,
      ...(roomId === undefined ? {} : { channel: roomId }),
    };
  }
  if (messageId === undefined && channelId === undefined) throw missing('messageId');
  return {
    messageId: messageId?.toLowerCase(),
    channelId: channelId?.toLowerCase(),
    status,
    ...(typeof error === 'string' ? { error } : {}),
  };
}

function batchOf(
  { platform, channelId, message_server_id: serverId, agentId }: IngestBody,
  messages: ExternalMessageBody[],
): ExternalMessage[] {
  if (platform === undefined) throw missing('platform');
  if (channelId === undefined) throw missing('channelId');
  return messages.map(({ id, authorId, authorName, content, timestamp, metadata }) => ({
    platform,
    channel: channelId,
    serverId,
    author: authorId,
    authorName: authorName ?? null,
    content,
    rawMessage: null,
    sourceId: id,
    inReplyTo: null,
    metadata: { ...metadata, ...(timestamp === undefined || timestamp === null ? {} : { timestamp }) },
    agentId,
  }));
}

function missing(field: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field} is missing`, 'docs/reference/http.md lists the bodies of this operation.');
}

/** An id of another platform: any non-blank text of limited length. */
function IsExternalId(): PropertyDecorator {
  return Check(
    'isExternalId',
    { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH },
    (value) => typeof value === 'string' && value.trim() !== '' && hasAtMost(value, MAX_NAME_LENGTH),
    () => `$property must be text of 1 to ${MAX_NAME_LENGTH} characters that is not only white space`,
  );
}

/** A time in the format of another platform: a number or a short text. */
function IsTimestamp(): PropertyDecorator {
  return Check(
    'isMoment',
    { type: ['number', 'string', 'null'] },
    (value) => typeof value === 'number' || (typeof value === 'string' && hasAtMost(value, MAX_NAME_LENGTH)),
    () => '$property must be a number or text',
  );
}
