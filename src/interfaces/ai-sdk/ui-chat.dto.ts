import { IsArray, IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import { IsFilledText, MaxCharacters } from '../../core/http/index.js';

const LONGEST_ID = 255;

/** Body of `POST /api/agents/{agent}/chat`. Its other fields are the app's own and are not read. */
export class UiChatBody {
  /** Names the conversation. Of its own user or key; or the id of a session or channel of the agent. */
  @IsFilledText(LONGEST_ID)
  id!: string;

  /** The whole conversation, as `UIMessage`s. */
  @IsOptional()
  @IsArray()
  messages?: Record<string, unknown>[] | null;

  /** In place of `messages`: only the last message. The agent then reads what the server has of the conversation. */
  @IsOptional()
  @IsObject()
  message?: Record<string, unknown> | null;

  @IsOptional()
  @IsIn(['submit-message', 'regenerate-message'])
  trigger?: 'submit-message' | 'regenerate-message' | null;

  /** Of the message that is replaced. */
  @IsOptional()
  @IsString()
  @MaxCharacters(LONGEST_ID)
  messageId?: string | null;

  /** Instructions, in front of those of system messages. */
  @IsOptional()
  @IsString()
  system?: string | null;

  /** Tools that run in the browser: `{ name: { description, inputSchema } }`, or a list in the form of Chat Completions. */
  @IsOptional()
  tools?: Record<string, unknown> | Record<string, unknown>[] | null;
}

/** A part of a UI message stream; the data of a server-sent event. */
export class UiMessageChunkView {
  [field: string]: unknown;

  type!: string;
}
