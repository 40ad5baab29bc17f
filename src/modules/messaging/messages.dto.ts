import { IsArray, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';

/** Longest text of a message, characters. */
export const LONGEST_MESSAGE = 100_000;
const LONGEST_KEY = 255;

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

  /** One of http, sse, websocket, sync, stream; checked with the transport itself. */
  @IsOptional()
  transport?: unknown;

  @IsOptional()
  mode?: unknown;
}

class RawMessageBody {
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
