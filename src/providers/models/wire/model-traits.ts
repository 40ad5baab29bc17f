import { cutText } from '../../../core/text/index.js';
import { serviceError } from '../../sdk/index.js';
import type { ChatRequest } from '../chat-model.js';
import { fieldsOf, listOf, parsed, type Fields } from './values.js';

/** Room for thoughts beside a response whose length is limited, tokens. */
const ROOM_FOR_THOUGHTS = 8192;
/** Statuses with which services refuse a request: servers for local models report refusals of their templates as 500. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([undefined, 200, 400, 404, 422, 500, 501]);

/** Refused parameters, as services name them in prose. */
const REFUSED = [
  /unsupported (?:parameter|value)/,
  /not (?:supported|permitted|allowed|available|enabled)/,
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
];
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
  readonly learn: (traits: ModelTraits) => string;
}

const refuses = (said: string, ...names: string[]): boolean =>
  names.some((name) => said.includes(name)) && REFUSED.some((each) => each.test(said));

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
    applies: ({ takesToolChoice }, body) => takesToolChoice && 'tool_choice' in body,
    names: (said) => refuses(said, 'tool_choice'),
    learn: (traits) => {
      traits.takesToolChoice = false;
      return 'takes no tool_choice';
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
    applies: ({ takesTools }, body) => takesTools && 'tools' in body,
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
  /** Whether the template has a system role. Otherwise the system message is put before the first message of the user. */
  takesSystem = true;
  takesStreamOptions = true;
  takesTools = true;
  takesToolChoice = true;
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
    if (!REFUSALS.has(status)) return undefined;
    const sent = fieldsOf(parsed(body));
    const text = wordsOf(said);
    const lesson = LESSONS.find(({ applies, names }) => applies(this, sent) && names(text));
    return lesson?.learn(this) ?? this.learnLimit(text, sent);
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

/** What a refusal says, in lower case, with the names of parameters that it gives in fields of their own. */
function wordsOf(said: unknown): string {
  const { code, type, message } = serviceError(said);
  const fields = cutText(JSON.stringify(typeof said === 'string' ? (parsed(said) ?? '') : said), 10_000);
  const named = [...fields.matchAll(/"(?:param|loc|parameter|field)":("[^"]{1,100}"|\[[^\]]{1,200}\])/g)].map(([, name = '']) => name);
  return cutText(`${code} ${type} ${message} ${named.join(' ')}`, 10_000).toLowerCase();
}

/** The limit of a response with its thoughts, tokens; undefined when the request has none. */
export function outputLimit({ maxOutputTokens }: ChatRequest, traits: ModelTraits): number | undefined {
  if (maxOutputTokens === undefined) return undefined;
  return Math.min(maxOutputTokens + (traits.reasons ? ROOM_FOR_THOUGHTS : 0), traits.maxOutputTokens ?? Infinity);
}
