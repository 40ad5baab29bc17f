import type { ChatMessage, ChatRequest, ChatTool, ResponseFormat } from '../chat-model.js';
import type { ModelTraits } from './model-traits.js';

const JSON_OBJECT = 'Respond with one JSON object and nothing else: no text before or after it, and no Markdown.';
const JSON_SCHEMA =
  'Respond with JSON that is valid against the following JSON Schema, and with nothing else: no text before or after it, and no Markdown.';
const CALL = 'Respond with a call of one of the tools, not with a text.';

/**
 * What a request demands of the response: by parameters as far as the service takes them, else by words in a system message, so that no demand
 * is lost.
 */
interface Demands {
  readonly messages: readonly ChatMessage[];
  readonly format: ResponseFormat | undefined;
  readonly tools: readonly ChatTool[];
  readonly toolChoice: ChatRequest['toolChoice'];
}

export function demandsOf(request: ChatRequest, traits: ModelTraits): Demands {
  const { messages, responseFormat: asked } = request;
  const format = asked?.type === 'json_schema' && traits.takesJsonSchema ? asked : undefined;
  const instead: ResponseFormat | undefined = asked !== undefined && traits.takesJsonObject ? { type: 'json_object' } : undefined;
  const { tools, toolChoice, inWords } = chosenTools(request, traits);
  // Services refuse `json_object` when no message has the word JSON.
  const words = [...(asked === undefined || format ? [] : [wordsOf(asked)]), ...(inWords ? [CALL] : [])];
  return {
    messages: words.length === 0 ? messages : [...messages, ...words.map((content) => ({ role: 'system' as const, content }))],
    format: format ?? instead,
    tools,
    toolChoice,
  };
}

/** The tools that a request offers. One that has to call a tool is not sent without any: the service's refusal reaches the caller. */
export function offeredTools(request: ChatRequest, traits: ModelTraits): readonly ChatTool[] {
  return chosenTools(request, traits).tools;
}

/** The request with its format in words; undefined when it has none, or one that has to be held exactly. */
export function withFormatInWords(request: ChatRequest): ChatRequest | undefined {
  const { responseFormat, ...rest } = request;
  if (responseFormat?.type !== 'json_schema' || responseFormat.strict === true) return undefined;
  return { ...rest, messages: [...request.messages, { role: 'system', content: wordsOf(responseFormat) }] };
}

function chosenTools(
  { tools = [], toolChoice }: ChatRequest,
  traits: ModelTraits,
): Pick<Demands, 'tools' | 'toolChoice'> & { readonly inWords?: boolean } {
  const none = { tools: [], toolChoice: undefined };
  if (tools.length === 0) return none;
  if (typeof toolChoice !== 'object' && toolChoice !== 'required') {
    return traits.takesTools ? { tools, toolChoice: traits.takesToolChoice ? toolChoice : undefined } : none;
  }
  if (typeof toolChoice === 'object' && traits.takesNamedChoice) return { tools, toolChoice };
  const offered = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  return traits.takesRequiredChoice ? { tools: offered, toolChoice: 'required' } : { tools: offered, toolChoice: undefined, inWords: true };
}

function wordsOf(format: ResponseFormat): string {
  if (format.type === 'json_object') return JSON_OBJECT;
  const { name, description, schema } = format;
  const title = description === undefined ? name : `${name}: ${description}`;
  return `${JSON_SCHEMA}\n\n${title}\n${JSON.stringify(schema)}`;
}
