import type { ChatFile, ChatMessage, ChatRequest, ChatTool, ChatToolCall } from '../chat-model.js';
import { currentTurn, normalise } from './conversation.js';
import { outputLimit, type ModelTraits } from './model-traits.js';
import { listOf, type Fields } from './values.js';

/** The body of a request for chat completions of OpenAI and compatible services, as a stream. */
export function writeCompletions(request: ChatRequest, modelId: string, traits: ModelTraits): Fields {
  const messages = normalise(request.messages, traits.takesSystem);
  const current = currentTurn(messages);
  const limit = outputLimit(request, traits);
  return {
    model: modelId,
    messages: messages.map((message, index) => writeMessage(message, traits, index >= current)),
    stream: true,
    ...(traits.takesStreamOptions ? { stream_options: { include_usage: true } } : {}),
    ...(traits.takesTemperature && request.temperature !== undefined ? { temperature: request.temperature } : {}),
    ...(limit === undefined || traits.limitParameter === undefined ? {} : { [traits.limitParameter]: limit }),
    ...writeTools(request, traits),
  };
}

function writeTools({ tools = [], toolChoice }: ChatRequest, traits: ModelTraits): Fields {
  if (tools.length === 0 || !traits.takesTools) return {};
  return {
    tools: tools.map(({ name, description, parameters }: ChatTool) => ({ type: 'function', function: { name, description, parameters } })),
    ...(toolChoice === undefined || !traits.takesToolChoice ? {} : { tool_choice: toolChoice }),
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
