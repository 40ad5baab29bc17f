import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import { Check, IsFilledText, MaxCharacters } from '../../core/http/index.js';
import { IsNeutral } from './openai-checks.js';

const LONGEST_NAME = 255;
const MAX_TOOLS = 512;
const MAX_STOPS = 16;

/** Body of `POST /v1/chat/completions`. */
export class ChatCompletionsBody {
  /** Name or id of an agent. */
  @IsFilledText(LONGEST_NAME)
  model!: string;

  /** The conversation, or only what is new in one that the header X-Conversation-Id names. */
  @IsArray()
  messages!: Record<string, unknown>[];

  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  /** `include_usage`: a last chunk with the tokens. */
  @IsOptional()
  @IsObject()
  stream_options?: Record<string, unknown> | null;

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

  /** The older name of `max_completion_tokens`. */
  @IsOptional()
  @IsInt()
  @Min(1)
  max_tokens?: number | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  max_completion_tokens?: number | null;

  /** A text or up to 16 texts at which the reply ends. */
  @IsOptional()
  @IsStop()
  stop?: string | string[] | null;

  /** `text`, `json_object`, or `json_schema` with a schema. */
  @IsOptional()
  @IsObject()
  response_format?: Record<string, unknown> | null;

  /** Functions that the caller runs, beside the agent's own tools. Tools of other types are skipped. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_TOOLS)
  tools?: Record<string, unknown>[] | null;

  /** `none`, `auto`, `required`, or a function. */
  @IsOptional()
  tool_choice?: string | Record<string, unknown> | null;

  @IsOptional()
  @IsBoolean()
  parallel_tool_calls?: boolean | null;

  @IsOptional()
  @IsIn(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])
  reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | null;

  /** A name of the user, by which conversations are kept apart. It is a claim: only a user token vouches for a user. */
  @IsOptional()
  @IsString()
  @MaxCharacters(LONGEST_NAME)
  user?: string | null;

  /** False: nothing of the conversation is kept. */
  @IsOptional()
  @IsBoolean()
  store?: boolean | null;

  /** Names and values that are stored with the message. */
  @IsOptional()
  @IsObject()
  metadata?: Record<string, unknown> | null;

  @IsOptional()
  @IsNeutral([1], 'an agent replies once')
  n?: number | null;

  @IsOptional()
  @IsNeutral([0], 'the models of agents take no penalties')
  frequency_penalty?: number | null;

  @IsOptional()
  @IsNeutral([0], 'the models of agents take no penalties')
  presence_penalty?: number | null;

  @IsOptional()
  @IsNeutral([false], 'replies have no probabilities')
  logprobs?: boolean | null;

  @IsOptional()
  @IsNeutral([0], 'replies have no probabilities')
  top_logprobs?: number | null;

  @IsOptional()
  @IsNeutral(['medium'], 'the character of an agent tells how long it writes')
  verbosity?: string | null;

  @IsOptional()
  @IsNeutral(['auto', 'default'], 'all requests are served alike')
  service_tier?: string | null;

  @IsOptional()
  @Check(
    'isText',
    { type: 'array', items: { enum: ['text'] } },
    (value) => Array.isArray(value) && value.every((each) => each === 'text'),
    () => '$property must be ["text"] or left out: POST /v1/audio/speech speaks a text',
  )
  modalities?: string[] | null;

  @IsOptional()
  @Check(
    'isEmpty',
    { type: 'object', maxProperties: 0 },
    (value) => typeof value === 'object' && value !== null && Object.keys(value).length === 0,
    () => '$property must be empty or left out: the models of agents take no biases',
  )
  logit_bias?: Record<string, unknown> | null;

  /** A hint for caches of OpenAI; it changes nothing here. */
  @IsOptional()
  @IsString()
  prompt_cache_key?: string | null;

  /** A hint for caches of OpenAI; it changes nothing here. */
  @IsOptional()
  @IsString()
  prompt_cache_retention?: string | null;

  /** As `user`, which wins. */
  @IsOptional()
  @IsString()
  @MaxCharacters(LONGEST_NAME)
  safety_identifier?: string | null;
}

/** A call of a function that the caller runs. */
export class ChatToolCallView {
  id!: string;
  type!: 'function';
  function!: ChatFunctionView;
}

export class ChatFunctionView {
  name!: string;
  /** JSON. */
  arguments!: string;
}

export class ChatMessageView {
  role!: 'assistant';
  content!: string | null;
  refusal!: null;
  tool_calls?: ChatToolCallView[];
}

export class ChatChoiceView {
  index!: number;
  message!: ChatMessageView;
  logprobs!: null;
  finish_reason!: 'stop' | 'length' | 'tool_calls' | 'content_filter';
}

/** Tokens, estimated where the service reports none. */
export class ChatUsageView {
  prompt_tokens!: number;
  completion_tokens!: number;
  total_tokens!: number;
}

/** The reply of an agent. */
export class ChatCompletionView {
  id!: string;
  object!: 'chat.completion';
  /** Epoch s. */
  created!: number;
  model!: string;
  choices!: ChatChoiceView[];
  usage!: ChatUsageView;
}

/** A part of a reply; the data of a server-sent event. */
export class ChatChunkView {
  [field: string]: unknown;

  id!: string;
  object!: 'chat.completion.chunk';
  created!: number;
  model!: string;
  choices!: Record<string, unknown>[];
}

function IsStop(): PropertyDecorator {
  const text = { type: 'string', minLength: 1 };
  return Check(
    'isStop',
    { anyOf: [text, { type: 'array', items: text, maxItems: MAX_STOPS }] },
    (value) => {
      const texts = Array.isArray(value) ? (value as unknown[]) : [value];
      return texts.length <= MAX_STOPS && texts.every((each) => typeof each === 'string' && each !== '');
    },
    () => `$property must be a text or a list of at most ${MAX_STOPS} texts, none of them empty`,
  );
}
