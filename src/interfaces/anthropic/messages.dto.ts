import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsNumber, IsObject, IsOptional, Max, Min } from 'class-validator';
import { Check, IsFilledText } from '../../core/http/index.js';
import { IsNeutral } from '../../modules/protocols/index.js';

const LONGEST_NAME = 255;
const MAX_TOOLS = 512;
const MAX_STOPS = 16;

/** What the model reads: the fields that both operations have. */
export class AnthropicInputBody {
  /** Name or id of an agent. */
  @IsFilledText(LONGEST_NAME)
  model!: string;

  /** The conversation, or only what is new in one that the header X-Conversation-Id names. */
  @IsArray()
  messages!: Record<string, unknown>[];

  /** Instructions of the caller: a text, or a list of blocks with text. They follow the agent's. */
  @IsOptional()
  system?: string | Record<string, unknown>[] | null;

  /** Tools that the caller runs, beside the agent's own. Tools of Anthropic, whose type has a date, are skipped. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_TOOLS)
  tools?: Record<string, unknown>[] | null;

  /** Its type is `auto`, `any`, `tool` with a name, or `none`; `disable_parallel_tool_use` asks for one call at a time. */
  @IsOptional()
  @IsObject()
  tool_choice?: Record<string, unknown> | null;

  /** Its type is `enabled`, `adaptive`, `between_tools` or `disabled`. Without `disabled`, the caller gets what the model thinks. */
  @IsOptional()
  @IsObject()
  thinking?: Record<string, unknown> | null;

  /** `format`, a JSON Schema for the reply, and `effort`, how long the model thinks. */
  @IsOptional()
  @IsObject()
  output_config?: Record<string, unknown> | null;

  /** The older name of `output_config.format`. */
  @IsOptional()
  @IsObject()
  output_format?: Record<string, unknown> | null;

  /** A hint for caches of Anthropic; it changes nothing here. */
  @IsOptional()
  @IsObject()
  cache_control?: Record<string, unknown> | null;

  /** Thoughts of earlier replies are left out in any case. Nothing else can be left out of the conversation. */
  @IsOptional()
  @Check(
    'isContextManagement',
    { type: 'object' },
    asksForNothingElse,
    () => '$property must only have edits of the type clear_thinking_20251015: send the messages that the agent is to read',
  )
  context_management?: Record<string, unknown> | null;

  @IsOptional()
  @Check(
    'isEmptyList',
    { type: 'array', maxItems: 0 },
    (value) => Array.isArray(value) && value.length === 0,
    () => '$property must be empty or left out: an operator gives an agent its MCP servers',
  )
  mcp_servers?: Record<string, unknown>[] | null;

  @IsOptional()
  @IsNeutral(['standard'], 'all requests are served alike')
  speed?: string | null;
}

/** Body of `POST /v1/messages/count_tokens`. */
export class AnthropicCountBody extends AnthropicInputBody {}

/** Body of `POST /v1/messages`. */
export class AnthropicMessagesBody extends AnthropicInputBody {
  /** Tokens of a response of the model. */
  @IsInt()
  @Min(1)
  max_tokens!: number;

  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  temperature?: number | null;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  top_p?: number | null;

  /** Up to 16 texts at which the reply ends. */
  @IsOptional()
  @Check(
    'isStops',
    { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: MAX_STOPS },
    (value) => Array.isArray(value) && value.length <= MAX_STOPS && value.every((each) => typeof each === 'string' && each !== ''),
    () => `$property must be a list of at most ${MAX_STOPS} texts, none of them empty`,
  )
  stop_sequences?: string[] | null;

  /** `user_id`: a name of the user, by which conversations are kept apart. It is a claim: only a user token vouches for a user. */
  @IsOptional()
  @IsObject()
  metadata?: Record<string, unknown> | null;

  @IsOptional()
  @IsNeutral(['auto', 'standard_only'], 'all requests are served alike')
  service_tier?: string | null;

  @IsOptional()
  @IsNeutral(['global'], 'an operator chooses the service of the model')
  inference_geo?: string | null;

  @IsOptional()
  @Check('isNoContainer', { type: 'object' }, isEmpty, () => '$property must be empty or left out: agents have no containers')
  container?: Record<string, unknown> | null;

  /** Refused with THREAD_UNSUPPORTED_REQUEST: clients then send the whole conversation. */
  @IsOptional()
  @IsObject()
  thread?: Record<string, unknown> | null;

  /** A question about caches of Anthropic, which have no part in this: the answer is always null. */
  @IsOptional()
  @IsObject()
  diagnostics?: Record<string, unknown> | null;
}

/** A block of a reply: the fields that blocks of its type have. */
export class AnthropicBlockView {
  type!: 'thinking' | 'text' | 'tool_use';
  text?: string;
  /** Of a text: always null. */
  citations?: null;
  thinking?: string;
  /** Of thoughts: always empty. They are not read when they come back. */
  signature?: string;
  /** Of a call: `call_…`. */
  id?: string;
  name?: string;
  input?: Record<string, unknown>;
  caller?: AnthropicCallerView;
}

/** The model calls all tools itself. */
export class AnthropicCallerView {
  type!: 'direct';
}

/** Tokens, estimated where the service reports none. */
export class AnthropicUsageView {
  input_tokens!: number;
  output_tokens!: number;
  /** Always 0. */
  cache_creation_input_tokens!: number;
  /** Always 0. */
  cache_read_input_tokens!: number;
  cache_creation!: null;
  inference_geo!: null;
  output_tokens_details!: null;
  server_tool_use!: null;
  service_tier!: 'standard' | null;
  speed!: null;
}

/** Why the model declined. */
export class AnthropicStopDetailsView {
  type!: 'refusal';
  category!: null;
  explanation!: null;
}

export type AnthropicStopReason = 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal';

/** The reply of an agent. */
export class AnthropicMessageView {
  id!: string;
  type!: 'message';
  role!: 'assistant';
  /** As the request named it. */
  model!: string;
  content!: AnthropicBlockView[];
  /** `end_turn` also at one of the `stop_sequences`. Null at the beginning of a stream. */
  stop_reason!: AnthropicStopReason | null;
  /** Always null. */
  stop_sequence!: null;
  stop_details!: AnthropicStopDetailsView | null;
  usage!: AnthropicUsageView;
  container!: null;
  diagnostics!: null;
}

/** Data of a server-sent event. Its name is its type. */
export class AnthropicEventView {
  [field: string]: unknown;

  type!:
    | 'message_start'
    | 'ping'
    | 'content_block_start'
    | 'content_block_delta'
    | 'content_block_stop'
    | 'message_delta'
    | 'message_stop'
    | 'error';
}

/** The size of a request. */
export class AnthropicTokensView {
  /** Estimated tokens of the instructions, the messages and the tools in the request. */
  input_tokens!: number;
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((each) => each === null || (Array.isArray(each) && each.length === 0));
}

function asksForNothingElse(value: unknown): boolean {
  if (isEmpty(value)) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { edits, ...others } = value as Record<string, unknown>;
  return isEmpty(others) && Array.isArray(edits) && edits.every((edit: unknown) => isClearingThoughts(edit));
}

function isClearingThoughts(edit: unknown): boolean {
  const { type } = (edit ?? {}) as { type?: unknown };
  return typeof type === 'string' && type.startsWith('clear_thinking_');
}
