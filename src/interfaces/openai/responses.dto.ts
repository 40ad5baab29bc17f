import { Allow, ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import { Check, IsFilledText, MaxCharacters } from '../../core/http/index.js';
import { IsNeutral } from './openai-checks.js';

const LONGEST_NAME = 255;
const LONGEST_METADATA_KEY = 64;
const LONGEST_METADATA_VALUE = 512;
const MAX_METADATA = 16;
const MAX_TOOLS = 512;

/** Names and values of a caller. */
export function IsOpenAiMetadata(): PropertyDecorator {
  return Check(
    'isOpenAiMetadata',
    {
      type: 'object',
      maxProperties: MAX_METADATA,
      propertyNames: { maxLength: LONGEST_METADATA_KEY },
      additionalProperties: { type: 'string', maxLength: LONGEST_METADATA_VALUE },
    },
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length <= MAX_METADATA &&
      Object.entries(value).every(
        ([key, text]) =>
          key.length <= LONGEST_METADATA_KEY && typeof text === 'string' && text.length <= LONGEST_METADATA_VALUE && !text.includes('\0'),
      ),
    () =>
      `$property must have at most ${MAX_METADATA} names of ${LONGEST_METADATA_KEY} characters with texts of ${LONGEST_METADATA_VALUE} characters`,
  );
}

/** Body of `POST /v1/responses`. */
export class ResponsesBody {
  /** Name or id of an agent. */
  @IsFilledText(LONGEST_NAME)
  model!: string;

  /** A message of the user, or items: messages, calls of functions and their outputs. With `previous_response_id` or `conversation`, what is new. */
  @Check(
    'isInput',
    { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] },
    (value) => typeof value === 'string' || Array.isArray(value),
    () => '$property must be a text or a list of items',
  )
  input!: string | Record<string, unknown>[];

  /** Instructions for this response. They follow the character of the agent. */
  @IsOptional()
  @IsString()
  instructions?: string | null;

  /** The response that this one goes on from. */
  @IsOptional()
  @IsFilledText(LONGEST_NAME)
  previous_response_id?: string | null;

  /** A conversation (`conv_…`) or any name of one; as text, or as an object with `id`. */
  @IsOptional()
  @Allow()
  conversation?: string | Record<string, unknown> | null;

  /** False: nothing of the conversation is kept. */
  @IsOptional()
  @IsBoolean()
  store?: boolean | null;

  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  /** `include_obfuscation` must not be true. */
  @IsOptional()
  @IsObject()
  stream_options?: Record<string, unknown> | null;

  /** Responds at once. The response goes on without the client, and GET has it. */
  @IsOptional()
  @IsBoolean()
  background?: boolean | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  max_output_tokens?: number | null;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(2)
  temperature?: number | null;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  top_p?: number | null;

  /** Functions that the caller runs, beside the agent's own tools. Tools of other types are skipped. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_TOOLS)
  tools?: Record<string, unknown>[] | null;

  /** `none`, `auto`, `required`, a function, or `allowed_tools`. */
  @IsOptional()
  @Allow()
  tool_choice?: string | Record<string, unknown> | null;

  @IsOptional()
  @IsBoolean()
  parallel_tool_calls?: boolean | null;

  /** `format`: `text`, `json_object`, or `json_schema` with a schema. */
  @IsOptional()
  @IsObject()
  text?: Record<string, unknown> | null;

  /** `effort`, and `summary` to get what the model thinks. */
  @IsOptional()
  @IsObject()
  reasoning?: Record<string, unknown> | null;

  /** Names and values that are kept with the response. */
  @IsOptional()
  @IsOpenAiMetadata()
  metadata?: Record<string, string> | null;

  /** A name of the user, by which conversations are kept apart. It is a claim: only a user token vouches for a user. */
  @IsOptional()
  @IsString()
  @MaxCharacters(LONGEST_NAME)
  user?: string | null;

  /** As `user`, which wins. */
  @IsOptional()
  @IsString()
  @MaxCharacters(LONGEST_NAME)
  safety_identifier?: string | null;

  /** A hint for caches of OpenAI; it changes nothing here. */
  @IsOptional()
  @IsString()
  prompt_cache_key?: string | null;

  /** A hint for caches of OpenAI; it changes nothing here. */
  @IsOptional()
  @IsString()
  prompt_cache_retention?: string | null;

  /** What a program such as Codex tells about itself; it changes nothing here. */
  @IsOptional()
  @IsObject()
  client_metadata?: Record<string, unknown> | null;

  /** Both mean the same here: what does not fit is left out, oldest first. */
  @IsOptional()
  @IsIn(['auto', 'disabled'])
  truncation?: 'auto' | 'disabled' | null;

  /** Only parts that responses have anyway, or never have. */
  @IsOptional()
  @IsArray()
  include?: string[] | null;

  @IsOptional()
  @IsNeutral(['auto', 'default'], 'all requests are served alike')
  service_tier?: string | null;

  @IsOptional()
  @IsNeutral([0], 'responses have no probabilities')
  top_logprobs?: number | null;

  @IsOptional()
  @IsNeutral([0], 'the models of agents take no penalties')
  frequency_penalty?: number | null;

  @IsOptional()
  @IsNeutral([0], 'the models of agents take no penalties')
  presence_penalty?: number | null;
}

/** Query of `GET /v1/responses/{id}`. */
export class ResponseQuery {
  /** `true`: the events of the response, as server-sent events. */
  @IsOptional()
  @IsIn(['true', 'false'])
  stream?: string;

  /** With `stream`: the `sequence_number` of the last event that was received. */
  @IsOptional()
  @Check(
    'isSequenceNumber',
    { type: 'integer', minimum: 0 },
    (value) => typeof value === 'string' && /^\d{1,15}$/.test(value),
    () => '$property must be the sequence_number of an event',
  )
  starting_after?: string;

  @IsOptional()
  @Allow()
  include?: unknown;

  @IsOptional()
  @IsIn(['false'])
  include_obfuscation?: string;
}

/** Query of lists of items. */
export class ItemsQuery {
  /** Items of the page, 1 to 100; 20 when absent. */
  @IsOptional()
  @Check(
    'isLimit',
    { type: 'integer', minimum: 1, maximum: 100 },
    (value) => typeof value === 'string' && /^(?:[1-9]\d?|100)$/.test(value),
    () => '$property must be a number from 1 to 100',
  )
  limit?: string;

  /** Id of the item before the page. */
  @IsOptional()
  @IsFilledText(LONGEST_NAME)
  after?: string;

  /** `desc`, the newest first, when absent. */
  @IsOptional()
  @IsIn(['asc', 'desc'])
  order?: 'asc' | 'desc';

  @IsOptional()
  @Allow()
  include?: unknown;
}

export class ResponseErrorView {
  code!: string;
  message!: string;
}

export class IncompleteDetailsView {
  reason!: 'max_output_tokens' | 'content_filter';
}

export class ResponseUsageView {
  input_tokens!: number;
  input_tokens_details!: { cached_tokens: number };
  output_tokens!: number;
  output_tokens_details!: { reasoning_tokens: number };
  total_tokens!: number;
}

export class ResponseConversationView {
  id!: string;
}

/** A response, which is a reply of an agent, or the part of one until the caller has to run functions. */
export class ResponseView {
  id!: string;
  object!: 'response';
  /** Epoch s. */
  created_at!: number;
  status!: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';
  background!: boolean;
  /** Epoch s. */
  completed_at!: number | null;
  error!: ResponseErrorView | null;
  incomplete_details!: IncompleteDetailsView | null;
  /** Kept until the response has ended. */
  instructions!: string | null;
  max_output_tokens!: number | null;
  max_tool_calls!: null;
  model!: string;
  output!: Record<string, unknown>[];
  parallel_tool_calls!: boolean;
  previous_response_id!: string | null;
  conversation!: ResponseConversationView | null;
  prompt!: null;
  prompt_cache_key!: string | null;
  prompt_cache_retention!: string | null;
  reasoning!: Record<string, unknown>;
  safety_identifier!: string | null;
  service_tier!: 'default';
  store!: boolean;
  temperature!: number;
  text!: Record<string, unknown>;
  tool_choice!: string | Record<string, unknown>;
  /** Kept until the response has ended. */
  tools!: Record<string, unknown>[];
  top_logprobs!: 0;
  top_p!: number;
  presence_penalty!: 0;
  frequency_penalty!: 0;
  truncation!: 'auto' | 'disabled';
  /** Tokens; null while they are not known. */
  usage!: ResponseUsageView | null;
  user!: string | null;
  metadata!: Record<string, string>;
}

/** An event of a response; the data of a server-sent event. */
export class ResponseEventView {
  [field: string]: unknown;

  /** Such as `response.output_text.delta`. */
  type!: string;
  /** Rises from event to event, and skips. `starting_after` takes it. */
  sequence_number!: number;
}

export class DeletedResponseView {
  id!: string;
  object!: 'response';
  deleted!: true;
}

/** An item of a conversation: a message, a call of a function, or its output. */
export class OpenAiItemView {
  [field: string]: unknown;

  id!: string;
}

/** A list of items. */
export class ItemListView {
  object!: 'list';
  data!: Record<string, unknown>[];
  first_id!: string | null;
  last_id!: string | null;
  has_more!: boolean;
}
