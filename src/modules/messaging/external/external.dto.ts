import { IsArray, IsIn, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { AppError } from '../../../core/errors/index.js';
import { Checked, IfPresent, IsFilledText, IsJsonObject, IsListOf, IsUuidText } from '../../../core/http/index.js';
import { LONGEST_MESSAGE, LONGEST_RAW_MESSAGE } from '../messages.dto.js';
import type { Completion, ExternalMessage, Prompt } from './external.service.js';

const LONGEST_NAME = 255;
const MOST_MESSAGES = 100;

/** A message of another platform, out of a batch. */
export class ExternalMessageBody {
  /** Its id there; a message that comes in twice is stored once. */
  @IsExternalId()
  id!: string;

  /** Its author there, or here when it is a UUID. */
  @IsExternalId()
  authorId!: string;

  @IsFilledText(LONGEST_MESSAGE)
  content!: string;

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  authorName?: string;

  /** When it was written; kept in the metadata. */
  @IsOptional()
  @IsMoment()
  timestamp?: number | string | null;

  @IsOptional()
  @IsJsonObject()
  metadata?: Record<string, unknown> | null;
}

/**
 * Body of `POST /api/messaging/ingest-external`: one message of a channel of ours (`channel_id`, `author_id`, `content`), one for an agent
 * (`roomId`, `userId`, `text`), or a batch of a channel of another platform (`platform`, `channelId`, `messages`).
 */
export class IngestBody {
  @IfPresent()
  @IsUuidText()
  channel_id?: string;

  @IfPresent()
  @IsUuidText()
  message_server_id?: string;

  /** Another name of `message_server_id`. */
  @IfPresent()
  @IsUuidText()
  server_id?: string;

  @IfPresent()
  @IsUuidText()
  author_id?: string;

  @IfPresent()
  @IsFilledText(LONGEST_MESSAGE)
  content?: string;

  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_NAME)
  author_display_name?: string | null;

  @IsOptional()
  @IsJsonObject(LONGEST_RAW_MESSAGE)
  raw_message?: Record<string, unknown> | null;

  /** The message's id on the platform; a message that comes in twice is stored once. */
  @IsOptional()
  @IsFilledText(LONGEST_NAME)
  source_id?: string | null;

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  source_type?: string;

  @IsOptional()
  @IsUuidText()
  in_reply_to_message_id?: string | null;

  @IsOptional()
  @IsJsonObject()
  metadata?: Record<string, unknown> | null;

  /** The agent that is to answer. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  /** The channel, by a UUID of ours or the platform's own id. */
  @IfPresent()
  @IsExternalId()
  roomId?: string;

  /** The author, by a UUID of ours or the platform's own id. */
  @IfPresent()
  @IsExternalId()
  userId?: string;

  @IfPresent()
  @IsFilledText(LONGEST_MESSAGE)
  text?: string;

  /** As `source_id`. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  sourceId?: string;

  /** As `source_type`. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  sourceType?: string;

  /** Where a batch comes from. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  platform?: string;

  /** The channel of a batch. */
  @IfPresent()
  @IsExternalId()
  channelId?: string;

  @IfPresent()
  @IsListOf(ExternalMessageBody, MOST_MESSAGES)
  messages?: ExternalMessageBody[];
}

/** Body of `POST /api/messaging/external-messages`. */
export class AskExternalBody {
  @IsFilledText(LONGEST_NAME)
  platform!: string;

  /** The message's id there; asking again with it answers the same. */
  @IsExternalId()
  messageId!: string;

  /** The channel, by a UUID of ours or the platform's own id. */
  @IsExternalId()
  channelId!: string;

  /** The author, by a UUID of ours or the platform's own id. */
  @IsExternalId()
  userId!: string;

  @IsFilledText(LONGEST_MESSAGE)
  content!: string;

  /** The agent that is to answer; the first running one when the channel has none yet. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  @IsOptional()
  @IsArray()
  @IsObject({ each: true })
  attachments?: Record<string, unknown>[] | null;

  @IsOptional()
  @IsJsonObject()
  metadata?: Record<string, unknown> | null;
}

/**
 * Body of `POST /api/messaging/complete`: a question to an agent (`agentId`, `userId`, `prompt`), or word that nothing more comes in answer to
 * a message (`messageId`, `status`) or in a channel (`channel_id`).
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
  @MaxLength(10_000)
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

  /** The channel of a question, by a UUID of ours or any text of yours; one for user and agent when it is left out. */
  @IfPresent()
  @IsExternalId()
  roomId?: string;

  /** Who asks, by a UUID of ours or any text of yours. */
  @IfPresent()
  @IsExternalId()
  userId?: string;

  @IfPresent()
  @IsFilledText(LONGEST_MESSAGE)
  prompt?: string;
}

/** What was taken in. */
export class IngestedView {
  /** The first message. @format uuid */
  messageId!: string | null;
  /** All of them, in order. */
  messageIds!: string[];
  /** How many there are. */
  processed!: number;
  message!: string;
}

/** An agent's answer to a message of another platform. */
export class ExternalAnswerView {
  /** The message as it is known here. @format uuid */
  messageId!: string;
  /** The same as `messageId`: what the reply answers. @format uuid */
  inReplyTo!: string;
  /** Id of the reply; null when the agent stays silent. @format uuid */
  replyId!: string | null;
  /** Null when the agent stays silent. */
  response!: string | null;
}

/** That a completion was announced, or the answer to a question. */
export class CompletedView {
  /** Always true. */
  success!: boolean;
  /** The answer; null when the agent stays silent, absent when nothing was asked. */
  response?: string | null;
}

/** @throws AppError VALIDATION_ERROR naming what is missing */
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

export function toAskedMessage(body: AskExternalBody): ExternalMessage {
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

/** @throws AppError VALIDATION_ERROR when it is none of the three */
export function toCompletion(body: CompleteBody): Prompt | Completion {
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
  return new AppError('VALIDATION_ERROR', `${field} is missing`, 'docs/reference/http.md lists the bodies that this operation takes.');
}

/** An id of another platform: any text that is not too long. */
function IsExternalId(): PropertyDecorator {
  return Checked(
    'isExternalId',
    { type: 'string', minLength: 1, maxLength: LONGEST_NAME },
    (value) => typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME,
    () => `$property must be text of 1 to ${LONGEST_NAME} characters that is not only white space`,
  );
}

/** An instant as another platform writes it: a number or a short text. */
function IsMoment(): PropertyDecorator {
  return Checked(
    'isMoment',
    { type: ['number', 'string', 'null'] },
    (value) => typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_NAME),
    () => '$property must be a number or text',
  );
}
