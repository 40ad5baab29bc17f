import type { ChatFile, ChatMessage, ChatRequest, ChatToolCall, ResponseFormat } from '../chat-model.js';
import { currentTurn, normalise } from './conversation.js';
import { demandsOf } from './demands.js';
import { outputLimit, topPOf, type ModelTraits } from './model-traits.js';
import { listOf, type Fields } from './values.js';

/** OpenAI takes no more of them. The others are found without the service (`StopTexts`). */
const MAX_STOP_TEXTS = 4;

/** The body of a request for chat completions of OpenAI and compatible services, as a stream. */
export function writeCompletions(request: ChatRequest, modelId: string, traits: ModelTraits): Fields {
  const demands = demandsOf(request, traits);
  const messages = normalise(demands.messages, traits.takesSystem);
  const current = currentTurn(messages);
  const limit = outputLimit(request, traits);
  return {
    model: modelId,
    messages: messages.map((message, index) => writeMessage(message, traits, index >= current)),
    stream: true,
    ...(traits.takesStreamOptions ? { stream_options: { include_usage: true } } : {}),
    ...writeSampling(request, traits),
    ...(limit === undefined || traits.limitParameter === undefined ? {} : { [traits.limitParameter]: limit }),
    ...(demands.format === undefined ? {} : { response_format: writeFormat(demands.format) }),
    ...writeTools(request, demands, traits),
  };
}

function writeSampling(request: ChatRequest, traits: ModelTraits): Fields {
  const { temperature, stop = [], reasoningEffort: effort } = request;
  const topP = topPOf(request, traits);
  const texts = traits.takesStop ? stop.filter((text) => text !== '').slice(0, MAX_STOP_TEXTS) : [];
  return {
    ...(traits.takesTemperature && temperature !== undefined ? { temperature } : {}),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(texts.length === 0 ? {} : { stop: texts }),
    ...(effort === undefined || traits.refusedEfforts.has(effort) ? {} : { reasoning_effort: effort }),
  };
}

function writeFormat(format: ResponseFormat): Fields {
  if (format.type === 'json_object') return format;
  const { type, name, description, schema, strict } = format;
  return { type, json_schema: { name, description, schema, strict } };
}

function writeTools({ parallelToolCalls }: ChatRequest, { tools, toolChoice }: ReturnType<typeof demandsOf>, traits: ModelTraits): Fields {
  if (tools.length === 0) return {};
  const choice = typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice;
  return {
    tools: tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(parallelToolCalls === undefined || !traits.takesParallelToolCalls ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function writeMessage(message: ChatMessage, traits: ModelTraits, isCurrent: boolean): Fields {
  const { role, content } = message;
  switch (message.role) {
    case 'user': {
      const { files = [] } = message;
      return { role, content: files.length === 0 ? content : writeParts(content, files, traits) };
    }
    case 'assistant': {
      const { toolCalls = [], reasoning } = message;
      if (toolCalls.length === 0) return { role, content };
      const { content: parts, ...fields } = isCurrent && traits.takesReasoning ? (reasoning?.fields ?? {}) : {};
      const text = content === '' ? [] : [{ type: 'text', text: content }];
      return {
        role,
        content: parts === undefined ? content || null : [...listOf(parts), ...text],
        ...fields,
        tool_calls: toolCalls.map(writeCall),
      };
    }
    case 'tool':
      return { role, tool_call_id: message.toolCallId, content };
    default:
      return { role, content };
  }
}

function writeCall({ id, name, input, extra }: ChatToolCall): Fields {
  return { ...extra, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function writeParts(text: string, files: readonly ChatFile[], { takesImages }: ModelTraits): Fields[] {
  const given = takesImages ? files : [];
  const missing = takesImages ? [] : files.map(({ name }) => `(The file ${name} cannot be read by this model.)`);
  const words = [text, ...missing].filter((each) => each !== '').join('\n');
  return [...(words === '' ? [] : [{ type: 'text', text: words }]), ...given.map(writeFile)];
}

function writeFile({ mediaType, data, name }: ChatFile): Fields {
  const url = `data:${mediaType};base64,${Buffer.from(data).toString('base64')}`;
  return mediaType.startsWith('image/')
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { filename: name, file_data: url } };
}
