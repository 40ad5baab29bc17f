import type { ChatFile, ChatMessage, ChatRequest, ReasoningEffort } from '../chat-model.js';
import { currentTurn, normalise } from './conversation.js';
import { demandsOf } from './demands.js';
import { outputLimit, topPOf, type ModelTraits } from './model-traits.js';
import { listOf, type Fields } from './values.js';

/** Anthropic requires a limit. That of a request without one, tokens: what the smallest models of a generation can write. */
const LIMITS: readonly (readonly [model: RegExp, tokens: number])[] = [
  [/claude-3-(opus|sonnet|haiku)/, 4096],
  [/claude-3-5/, 8192],
];
const LIMIT = 16_384;
const HOTTEST = 1;
/** Anthropic knows no less effort than `low`. */
const EFFORTS: Readonly<Partial<Record<ReasoningEffort, string>>> = { none: 'low', minimal: 'low' };

/** The body of a request for a message of Anthropic, as a stream. */
export function writeAnthropic(request: ChatRequest, modelId: string, traits: ModelTraits): Fields {
  const demands = demandsOf(request, traits);
  const [first, ...rest] = normalise(demands.messages, true);
  const messages = first === undefined || first.role === 'system' ? rest : [first, ...rest];
  return {
    model: modelId,
    max_tokens: outputLimit(request, traits) ?? Math.min(traits.maxOutputTokens ?? Infinity, usualLimit(modelId)),
    stream: true,
    ...(first?.role === 'system' ? { system: [{ type: 'text', text: first.content }] } : {}),
    messages: writeMessages(messages, traits),
    ...writeSampling(request, traits),
    ...writeOutput(request, demands, traits),
    ...writeTools(request, demands, traits),
  };
}

function writeSampling(request: ChatRequest, traits: ModelTraits): Fields {
  const { temperature, stop = [] } = request;
  const topP = topPOf(request, traits);
  // Anthropic refuses white space alone.
  const texts = traits.takesStop ? stop.filter((text) => text.trim() !== '') : [];
  return {
    ...(traits.takesTemperature && temperature !== undefined ? { temperature: Math.min(temperature, HOTTEST) } : {}),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(texts.length === 0 ? {} : { stop_sequences: texts }),
  };
}

function writeOutput({ reasoningEffort: asked }: ChatRequest, { format }: ReturnType<typeof demandsOf>, traits: ModelTraits): Fields {
  const effort = asked && (EFFORTS[asked] ?? asked);
  const written = {
    ...(format?.type === 'json_schema' ? { format: { type: format.type, schema: format.schema } } : {}),
    ...(effort === undefined || traits.refusedEfforts.has(effort) ? {} : { effort }),
  };
  return Object.keys(written).length === 0 ? {} : { output_config: written };
}

function writeTools(request: ChatRequest, { tools, toolChoice }: ReturnType<typeof demandsOf>, traits: ModelTraits): Fields {
  if (tools.length === 0) return {};
  const isSingle = request.parallelToolCalls === false && traits.takesParallelToolCalls && toolChoice !== 'none';
  const choice = toolChoice ?? (isSingle && traits.takesToolChoice ? 'auto' : undefined);
  return {
    tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    ...(choice === undefined ? {} : { tool_choice: { ...writeChoice(choice), ...(isSingle ? { disable_parallel_tool_use: true } : {}) } }),
  };
}

function writeChoice(choice: NonNullable<ChatRequest['toolChoice']>): Fields {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

function usualLimit(modelId: string): number {
  return LIMITS.find(([model]) => model.test(modelId))?.[1] ?? LIMIT;
}

/** Results of tools are blocks of one message of the user. */
function writeMessages(messages: readonly ChatMessage[], traits: ModelTraits): Fields[] {
  const current = currentTurn(messages);
  const written: { role: string; content: Fields[] }[] = [];
  for (const [index, message] of messages.entries()) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = writeBlocks(message, traits, index >= current);
    const last = written.at(-1);
    if (last?.role === role) last.content.push(...content);
    else written.push({ role, content });
  }
  return written;
}

function writeBlocks(message: ChatMessage, traits: ModelTraits, isCurrent: boolean): Fields[] {
  const text = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  switch (message.role) {
    case 'user':
      return [...text, ...writeFiles(message.files ?? [], traits)];
    case 'assistant': {
      const { toolCalls = [], reasoning } = message;
      const thoughts = isCurrent && traits.takesReasoning ? listOf(reasoning?.fields?.['content']) : [];
      const calls = toolCalls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
      return [...(thoughts as Fields[]), ...text, ...calls];
    }
    case 'tool':
      return [{ type: 'tool_result', tool_use_id: message.toolCallId, content: message.content }];
    default:
      return text;
  }
}

function writeFiles(files: readonly ChatFile[], { takesImages }: ModelTraits): Fields[] {
  return files.map(({ mediaType, data, name }) => {
    if (!takesImages) return { type: 'text', text: `(The file ${name} cannot be read by this model.)` };
    const source = { type: 'base64', media_type: mediaType, data: Buffer.from(data).toString('base64') };
    return mediaType.startsWith('image/') ? { type: 'image', source } : { type: 'document', source, title: name };
  });
}
