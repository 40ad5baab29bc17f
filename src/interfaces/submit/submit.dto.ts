import { IsOptional } from 'class-validator';
import { validationErrorsOf, validationMessage, IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';
import { firstCharacters } from '../../core/text/index.js';
import {
  MAX_KEY_LENGTH,
  MAX_MESSAGE_LENGTH,
  MAX_RAW_MESSAGE_LENGTH,
  RAW_MESSAGE_CLASS,
  UpdateMessageBody,
  type ChannelMessage,
  type UpdateMessage,
} from '../../modules/messaging/index.js';

/**
 * Body of `POST /api/messaging/submit`: a message on behalf of an agent. Field names may be in snake case (the specification) or camel case
 * (the original client) (contract 1.7).
 */
export class SubmitBody {
  @IfPresent()
  @IsUuidText()
  channel_id?: string;

  @IfPresent()
  @IsUuidText()
  channelId?: string;

  @IfPresent()
  @IsUuidText()
  server_id?: string;

  @IfPresent()
  @IsUuidText()
  message_server_id?: string;

  @IfPresent()
  @IsUuidText()
  serverId?: string;

  @IfPresent()
  @IsUuidText()
  messageServerId?: string;

  @IfPresent()
  @IsUuidText()
  author_id?: string;

  @IfPresent()
  @IsUuidText()
  authorId?: string;

  /** Alias of `author_id`. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  @IsFilledText(MAX_MESSAGE_LENGTH)
  content!: string;

  @IfPresent()
  @IsFilledText(255)
  source_type?: string;

  @IfPresent()
  @IsFilledText(255)
  sourceType?: string;

  @IfPresent()
  @IsJsonObject(MAX_RAW_MESSAGE_LENGTH)
  raw_message?: Record<string, unknown>;

  @IfPresent()
  @IsJsonObject(MAX_RAW_MESSAGE_LENGTH)
  rawMessage?: Record<string, unknown>;

  @IsOptional()
  @IsJsonObject(MAX_RAW_MESSAGE_LENGTH)
  metadata?: Record<string, unknown> | null;

  /** Id for the stored message, chosen by the caller. */
  @IfPresent()
  @IsUuidText()
  messageId?: string;

  @IsOptional()
  @IsUuidText()
  in_reply_to_message_id?: string | null;

  @IsOptional()
  @IsUuidText()
  inReplyToMessageId?: string | null;
}

/** Body of `PATCH /api/messaging/action/{messageId}`. Absent fields stay unchanged. */
export class UpdateActionBody extends UpdateMessageBody {
  /** Replaces the stored one. */
  @IfPresent()
  @IsJsonObject(MAX_RAW_MESSAGE_LENGTH)
  raw_message?: Record<string, unknown>;

  @IfPresent()
  @IsFilledText(MAX_KEY_LENGTH)
  source_type?: string;

  @IfPresent()
  @IsUuidText()
  in_reply_to_message_id?: string;

  @IfPresent()
  @IsUuidText()
  author_id?: string;

  /** The message's id on its platform of origin. */
  @IfPresent()
  @IsFilledText(MAX_KEY_LENGTH)
  server_message_id?: string;
}

/** @throws AppError VALIDATION_ERROR naming the missing or invalid field */
export function toCommand(body: SubmitBody): Omit<ChannelMessage, 'users'> {
  const channelId = body.channel_id ?? body.channelId;
  const authorId = body.author_id ?? body.authorId ?? body.agentId;
  const rawMessage = body.raw_message ?? body.rawMessage;
  if (channelId === undefined) throw missing('channel_id');
  if (authorId === undefined) throw missing('author_id');
  checkRawMessage(rawMessage);
  const metadata = body.metadata ?? {};
  return {
    id: body.messageId,
    channelId: channelId.toLowerCase(),
    serverId: body.server_id ?? body.message_server_id ?? body.serverId ?? body.messageServerId,
    authorId,
    authorKind: 'agent',
    authorName: typeof metadata['agentName'] === 'string' ? firstCharacters(metadata['agentName'], 255) : null,
    content: body.content,
    rawMessage: rawMessage ?? { text: body.content, actions: [] },
    sourceType: body.source_type ?? body.sourceType ?? 'agent_response',
    metadata,
    inReplyTo: body.in_reply_to_message_id ?? body.inReplyToMessageId ?? null,
  };
}

export function toMessageChange(body: UpdateActionBody): UpdateMessage {
  return {
    content: body.content,
    metadata: body.metadata,
    rawMessage: body.raw_message,
    sourceType: body.source_type,
    inReplyTo: body.in_reply_to_message_id?.toLowerCase(),
    authorId: body.author_id?.toLowerCase(),
    sourceId: body.server_message_id,
  };
}

function missing(field: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field} must be a UUID (8-4-4-4-12 hexadecimal digits)`, `${field} is required.`);
}

function checkRawMessage(raw: Record<string, unknown> | undefined): void {
  if (raw === undefined) return;
  const { text, thought, actions } = raw;
  const faults = validationErrorsOf(Object.assign(new RAW_MESSAGE_CLASS(), { text, thought, actions })).map((fault) =>
    validationMessage(fault, 'raw_message.'),
  );
  if (faults.length > 0) {
    throw new AppError('VALIDATION_ERROR', faults[0] ?? 'raw_message is wrong', faults.join('; '));
  }
}
