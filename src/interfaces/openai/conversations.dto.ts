import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional } from 'class-validator';
import { IsOpenAiMetadata } from './responses.dto.js';

/** Items that one request may add. */
const MAX_ITEMS = 20;

/** Body of `POST /v1/conversations`. */
export class NewConversationBody {
  /** Messages that the conversation begins with, of users only: it gets its agent with the first response. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ITEMS)
  items?: Record<string, unknown>[] | null;

  /** Names and values that are kept with the conversation. */
  @IsOptional()
  @IsOpenAiMetadata()
  metadata?: Record<string, string> | null;
}

/** Body of `POST /v1/conversations/{id}`. */
export class OpenAiConversationBody {
  /** Replaces the names and values of the conversation; null removes them. */
  @IsOptional()
  @IsOpenAiMetadata()
  metadata?: Record<string, string> | null;
}

/** Body of `POST /v1/conversations/{id}/items`. */
export class NewItemsBody {
  /** Messages. No agent replies to them; the next response reads them. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ITEMS)
  items!: Record<string, unknown>[];
}

/** A conversation. */
export class OpenAiConversationView {
  id!: string;
  object!: 'conversation';
  /** Epoch s. */
  created_at!: number;
  metadata!: Record<string, string>;
}

export class DeletedConversationView {
  id!: string;
  object!: 'conversation.deleted';
  deleted!: true;
}
