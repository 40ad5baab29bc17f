import { cutText } from '../../../core/text/index.js';
import { serviceError } from '../../sdk/index.js';
import type { ChatRequest } from '../chat-model.js';
import { fieldsOf, listOf, parsed, textOf, type Fields } from './values.js';

/** Room for thoughts beside a response whose length is limited, tokens. */
const ROOM_FOR_THOUGHTS = 8192;
/** Statuses with which services refuse a request: servers for local models report refusals of their templates as 500. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([undefined, 200, 400, 404, 422, 500, 501]);

/** Refused parameters, as services name them in prose. */
const REFUSED = [
  /unsupported (?:parameter|value)/,
  /not (?:currently |yet )?(?:supported|permitted|allowed|available|enabled)/,
  /(?:does|do) not support/,
  /unrecognized (?:request )?argument/,
  /unknown (?:field|name|parameter|argument)/,
  /unexpected (?:keyword|field|parameter|argument)/,
  /extra (?:inputs|fields)/,
  /extra_forbidden/,
  /deprecated/,
  /unsupported_(?:parameter|value)/,
  /cannot both be specified/,
  /only the default/,
  /invalid (?:parameter|field)/,
  /no such (?:parameter|field)/,
  /unknown variant/,
];
/** Refused values of parameters. */
const VALUES = /(?:must|should) be|supported values|invalid/;
const FORMAT =
  /response[ _]format|json_(?:schema|object)|output_config(?!\.effort)|output[ _]format|structured output|json mode|response mime type/;
const FORMAT_REFUSED = /unavailable|unsupported|enabled only|(?:must|should) be|cannot be (?:combined|used)/;
/** A schema that a service refuses says nothing about others. */
const SCHEMA =
  /invalid[^.]{0,20}schema|invalid_json_schema|format\.schema|json_schema\.schema|response_schema|schema[^.]{0,40}(?:contains|too complex)/;
const STOP = /\bstop\b|stop_sequences/;
const STOP_REFUSED = /invalid|too (?:long|many)|at most|maximum|must contain/;
const CHOICE_REFUSED = /forces tool use|enable-auto-tool-choice/;
const SYSTEM =
  /system (?:role|message|prompt|instruction)[^.]{0,40}not|developer instruction is not enabled|roles are supported[^.]*got system|system role not supported/;
const TOOLS =
  /(?:does|do) not support (?:tools|tool use|function)|tools? (?:use |calling |choice )?(?:is|are) not (?:supported|enabled)|enable-auto-tool-choice|support tool use/;
const IMAGES =
  /(?:image|vision|multimodal)[^.]{0,60}(?:not (?:supported|enabled)|only supported)|not support (?:image|vision)|does not support image|no endpoints found that support image/;
const LIMIT =
  /(?:max_tokens|max_completion_tokens|maximum (?:output )?tokens|output tokens)[^]{0,160}?(?:less than or equal to|at most|<=|maximum(?: allowed)?(?: number of output tokens)?(?: is| of|:)|up to|>)\s*`?(\d{2,7})|range of max_tokens should be \[1, ?(\d{2,7})\]/;

/** A parameter or feature that a model may not take: how a refusal names it, and what is sent instead. */
interface Lesson {
  /** Whether the request has it, and it is not learnt yet. */
  readonly applies: (traits: ModelTraits, body: Fields) => boolean;
  readonly names: (said: string) => boolean;
  /** @returns what was learnt */
  readonly learn: (traits: ModelTraits, body: Fields) => string;
}

const refuses = (said: string, ...names: string[]): boolean =>
  names.some((name) => said.includes(name)) && REFUSED.some((each) => each.test(said));

const refusesFormat = (said: string): boolean =>
  FORMAT.test(said) && !SCHEMA.test(said) && (FORMAT_REFUSED.test(said) || REFUSED.some((each) => each.test(said)));
const refusesChoice = (said: string): boolean => refuses(said, 'tool_choice', 'tool choice') || CHOICE_REFUSED.test(said);

/** The type of the format that a request asks for. */
function formatOf(body: Fields): unknown {
  return fieldsOf(body['response_format'] ?? fieldsOf(body['output_config'])['format'])['type'];
}

function effortOf(body: Fields): string {
  return textOf(body['reasoning_effort'] ?? fieldsOf(body['output_config'])['effort']);
}

/** Whether a request has to be answered with a call: of one tool, or of any. */
function forcedChoice(body: Fields): 'named' | 'required' | undefined {
  const { tool_choice: choice } = body;
  const { type } = fieldsOf(choice);
  if (type === 'function' || type === 'tool') return 'named';
  return choice === 'required' || type === 'any' ? 'required' : undefined;
}

const LESSONS: readonly Lesson[] = [
  {
    applies: ({ limitParameter }, body) => limitParameter === 'max_tokens' && 'max_tokens' in body,
    names: (said) => refuses(said, 'max_tokens') && !/max_tokens[^.]{0,60}(?:too large|less than|<=)/.test(said),
    learn: (traits) => {
      traits.limitParameter = 'max_completion_tokens';
      traits.reasons = true;
      return 'takes max_completion_tokens instead of max_tokens';
    },
  },
  {
    applies: ({ limitParameter }, body) => limitParameter === 'max_completion_tokens' && 'max_completion_tokens' in body,
    names: (said) => refuses(said, 'max_completion_tokens'),
    learn: (traits) => {
      traits.limitParameter = undefined;
      return 'takes no limit of output tokens';
    },
  },
  {
    applies: ({ takesTopPWithTemperature }, body) => takesTopPWithTemperature && 'temperature' in body && 'top_p' in body,
    names: (said) => said.includes('temperature') && said.includes('top_p') && /cannot both|only one/.test(said),
    learn: (traits) => {
      traits.takesTopPWithTemperature = false;
      return 'takes no top_p beside a temperature';
    },
  },
  {
    applies: ({ takesTopP }, body) => takesTopP && 'top_p' in body,
    names: (said) => refuses(said, 'top_p') || /top_p[^.]{0,80}unset/.test(said),
    learn: (traits) => {
      traits.takesTopP = false;
      return 'takes no top_p';
    },
  },
  {
    applies: ({ takesTemperature }, body) => takesTemperature && 'temperature' in body,
    names: (said) => refuses(said, 'temperature'),
    learn: (traits) => {
      traits.takesTemperature = false;
      return 'takes no temperature';
    },
  },
  {
    applies: ({ takesStreamOptions }, body) => takesStreamOptions && 'stream_options' in body,
    names: (said) => refuses(said, 'stream_options', 'include_usage'),
    learn: (traits) => {
      traits.takesStreamOptions = false;
      return 'takes no stream_options';
    },
  },
  {
    applies: ({ takesSystem }, body) => takesSystem && fieldsOf(listOf(body['messages'])[0])['role'] === 'system',
    names: (said) => SYSTEM.test(said),
    learn: (traits) => {
      traits.takesSystem = false;
      return 'takes no system message';
    },
  },
  {
    applies: ({ takesParallelToolCalls }, body) =>
      takesParallelToolCalls && ('parallel_tool_calls' in body || 'disable_parallel_tool_use' in fieldsOf(body['tool_choice'])),
    names: (said) => refuses(said, 'parallel_tool_calls', 'disable_parallel_tool_use'),
    learn: (traits) => {
      traits.takesParallelToolCalls = false;
      return 'takes no parallel_tool_calls';
    },
  },
  {
    applies: ({ takesNamedChoice }, body) => takesNamedChoice && forcedChoice(body) === 'named',
    names: refusesChoice,
    learn: (traits) => {
      traits.takesNamedChoice = false;
      return 'takes no tool_choice that names a tool, so it gets that tool alone';
    },
  },
  {
    applies: ({ takesRequiredChoice }, body) => takesRequiredChoice && forcedChoice(body) === 'required',
    names: refusesChoice,
    learn: (traits) => {
      traits.takesRequiredChoice = false;
      return 'takes no tool_choice that requires a call, so it is asked in words';
    },
  },
  {
    applies: ({ takesToolChoice }, body) => takesToolChoice && 'tool_choice' in body && forcedChoice(body) === undefined,
    names: (said) => refuses(said, 'tool_choice'),
    learn: (traits) => {
      traits.takesToolChoice = false;
      return 'takes no tool_choice';
    },
  },
  {
    applies: ({ refusedEfforts }, body) => effortOf(body) !== '' && !refusedEfforts.has(effortOf(body)),
    names: (said) =>
      refuses(said, 'effort') ||
      (!said.includes('format') && refuses(said, 'output_config')) ||
      (/effort|think value/.test(said) && VALUES.test(said)) ||
      /not support thinking/.test(said),
    learn: ({ refusedEfforts }, body) => {
      refusedEfforts.add(effortOf(body));
      return `takes no reasoning effort "${effortOf(body)}"`;
    },
  },
  {
    applies: ({ takesReasoning }, body) =>
      takesReasoning && /"reasoning(?:_content|_details)?":|"type":"thinking"/.test(JSON.stringify(body['messages'] ?? [])),
    names: (said) => refuses(said, 'reasoning', 'thinking'),
    learn: (traits) => {
      traits.takesReasoning = false;
      return 'does not take its reasoning back';
    },
  },
  {
    applies: ({ takesJsonSchema }, body) => takesJsonSchema && formatOf(body) === 'json_schema',
    names: refusesFormat,
    learn: (traits) => {
      traits.takesJsonSchema = false;
      return 'takes no JSON Schema of the response, so it gets it in words';
    },
  },
  {
    applies: ({ takesJsonObject }, body) => takesJsonObject && formatOf(body) === 'json_object',
    names: refusesFormat,
    learn: (traits) => {
      traits.takesJsonObject = false;
      return 'takes no format of the response, so it gets it in words';
    },
  },
  {
    applies: ({ takesTools }, body) => takesTools && 'tools' in body && forcedChoice(body) === undefined,
    names: (said) => TOOLS.test(said) || refuses(said, "'tools'", '`tools`', 'body.tools', 'tools:'),
    learn: (traits) => {
      traits.takesTools = false;
      return 'takes no tools';
    },
  },
  {
    applies: ({ takesImages }, body) =>
      takesImages && /"type":"(?:image|image_url|file|document)"/.test(JSON.stringify(body['messages'] ?? [])),
    names: (said) => IMAGES.test(said) || refuses(said, 'image_url', 'image input'),
    learn: (traits) => {
      traits.takesImages = false;
      return 'takes no images';
    },
  },
  {
    applies: ({ takesStop }, body) => takesStop && ('stop' in body || 'stop_sequences' in body),
    names: (said) => STOP.test(said) && (STOP_REFUSED.test(said) || REFUSED.some((each) => each.test(said))),
    learn: (traits) => {
      traits.takesStop = false;
      return 'takes no stop texts';
    },
  },
];

/**
 * What a model takes, learnt from the service's responses. In memory, one object for each service and model; it starts with what most
 * services take.
 */
export class ModelTraits {
  /** The parameter for the limit of the response; undefined when the service takes none. */
  limitParameter: 'max_tokens' | 'max_completion_tokens' | undefined = 'max_tokens';
  /** The largest limit of a response that the service takes, tokens. */
  maxOutputTokens: number | undefined;
  takesTemperature = true;
  takesTopP = true;
  /** Some take one of the two. */
  takesTopPWithTemperature = true;
  takesStop = true;
  /** Values of the reasoning effort that the service does not take. */
  readonly refusedEfforts = new Set<string>();
  takesJsonSchema = true;
  takesJsonObject = true;
  /** Whether the template has a system role. Otherwise the system message is put before the first message of the user. */
  takesSystem = true;
  takesStreamOptions = true;
  takesTools = true;
  /** Whether it takes `auto` and `none`. */
  takesToolChoice = true;
  takesRequiredChoice = true;
  takesNamedChoice = true;
  takesParallelToolCalls = true;
  takesImages = true;
  /** Whether the service takes the fields of reasoning that it has sent. */
  takesReasoning = true;
  /** Whether the model thinks before it responds, which uses the same output tokens. */
  reasons = false;
  /** Whether its thoughts begin in the prompt, so that a text may turn out to be one (`HeldText`). */
  thinksFirst = false;

  /**
   * Learns from a refusal that names what can be left out or replaced.
   *
   * @param status of the response; undefined for an error within a stream
   * @param said the text of the response, or the error in the stream
   * @param body the JSON text of the request
   * @returns what was learnt, as the end of a sentence about the model; undefined when nothing was
   */
  learn(status: number | undefined, said: unknown, body: string): string | undefined {
    if (!isRefusal(status)) return undefined;
    const sent = fieldsOf(parsed(body));
    const text = wordsOf(said);
    const lesson = LESSONS.find(({ applies, names }) => applies(this, sent) && names(text));
    return lesson?.learn(this, sent) ?? this.learnLimit(text, sent);
  }

  private learnLimit(text: string, sent: Fields): string | undefined {
    const asked = sent['max_tokens'] ?? sent['max_completion_tokens'];
    const [, named, ranged] = LIMIT.exec(text) ?? [];
    const limit = Number(named ?? ranged);
    if (typeof asked !== 'number' || !(limit > 0) || limit >= asked) return undefined;
    this.maxOutputTokens = limit;
    return `takes at most ${limit} output tokens`;
  }
}

/** Whether a status, or its absence within a stream, may refuse the form of a request. */
export function isRefusal(status: number | undefined): boolean {
  return REFUSALS.has(status);
}

/** Whether a refusal is one of the schema of the response, not of schemas altogether. */
export function refusesSchema(said: unknown): boolean {
  const text = wordsOf(said);
  return FORMAT.test(text) && SCHEMA.test(text);
}

/** What a refusal says, in lower case, with the names of parameters that it gives in fields of their own. */
function wordsOf(said: unknown): string {
  const { code, type, message } = serviceError(said);
  const fields = cutText(JSON.stringify(typeof said === 'string' ? (parsed(said) ?? '') : said), 10_000);
  const named = [...fields.matchAll(/"(?:param|loc|parameter|field)":("[^"]{1,100}"|\[[^\]]{1,200}\])/g)].map(([, name = '']) => name);
  return cutText(`${code} ${type} ${message} ${named.join(' ')}`, 10_000).toLowerCase();
}

/** The share of tokens to choose from, where the service takes one beside the temperature that it gets. */
export function topPOf({ temperature, topP }: ChatRequest, traits: ModelTraits): number | undefined {
  const isAlone = temperature === undefined || !traits.takesTemperature;
  return traits.takesTopP && (isAlone || traits.takesTopPWithTemperature) ? topP : undefined;
}

/** The limit of a response with its thoughts, tokens; undefined when the request has none. */
export function outputLimit({ maxOutputTokens }: ChatRequest, traits: ModelTraits): number | undefined {
  if (maxOutputTokens === undefined) return undefined;
  return Math.min(maxOutputTokens + (traits.reasons ? ROOM_FOR_THOUGHTS : 0), traits.maxOutputTokens ?? Infinity);
}
