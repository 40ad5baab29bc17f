import { IsOptional, validateSync } from 'class-validator';
import { complaintOf, IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';
import { LONGEST_MESSAGE, LONGEST_RAW_MESSAGE, RAW_MESSAGE_CLASS } from './messages.dto.js';
import type { PostMessage } from './messages.types.js';

/**
 * Body of `POST /api/messaging/submit`: a message written in an agent's name. The specification writes the fields in
 * snake case, the original's client in camel case; both are read (contract 1.7).
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

  /** Another name of `author_id`. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  @IsFilledText(LONGEST_MESSAGE)
  content!: string;

  @IfPresent()
  @IsFilledText(255)
  source_type?: string;

  @IfPresent()
  @IsFilledText(255)
  sourceType?: string;

  @IfPresent()
  @IsJsonObject(LONGEST_RAW_MESSAGE)
  raw_message?: Record<string, unknown>;

  @IfPresent()
  @IsJsonObject(LONGEST_RAW_MESSAGE)
  rawMessage?: Record<string, unknown>;

  @IsOptional()
  @IsJsonObject(LONGEST_RAW_MESSAGE)
  metadata?: Record<string, unknown> | null;

  /** Chosen by the caller; becomes the id of the stored message. */
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

/** @throws AppError VALIDATION_ERROR naming the field that is missing or wrong */
export function toCommand(body: SubmitBody): Omit<PostMessage, 'vouched'> & { serverId?: string } {
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
    authorName: typeof metadata['agentName'] === 'string' ? metadata['agentName'].slice(0, 255) : null,
    content: body.content,
    rawMessage: rawMessage ?? { text: body.content, actions: [] },
    sourceType: body.source_type ?? body.sourceType ?? 'agent_response',
    metadata,
    inReplyTo: body.in_reply_to_message_id ?? body.inReplyToMessageId ?? null,
  };
}

function missing(field: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field} must be a UUID (8-4-4-4-12 hexadecimal digits)`, `${field} is required.`);
}

function checkRawMessage(raw: Record<string, unknown> | undefined): void {
  if (raw === undefined) return;
  const { text, thought, actions } = raw;
  const faults = validateSync(Object.assign(new RAW_MESSAGE_CLASS(), { text, thought, actions })).map((fault) =>
    complaintOf(fault, 'raw_message.'),
  );
  if (faults.length > 0) {
    throw new AppError('VALIDATION_ERROR', faults[0] ?? 'raw_message is wrong', faults.join('; '));
  }
}
