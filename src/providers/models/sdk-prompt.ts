import type { LanguageModelV3CallOptions, LanguageModelV3Message, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { ChatMessage, ChatRequest, ChatUsage } from './chat-model.js';

/** A message in the words of the AI SDK's provider level. */
export function promptMessage(message: ChatMessage): LanguageModelV3Message {
  const { role, content } = message;
  switch (role) {
    case 'system':
      return { role, content };
    case 'user': {
      const { files = [] } = message;
      const parts = files.map(({ mediaType, data, name }) => ({ type: 'file' as const, mediaType, data, filename: name }));
      return { role, content: [{ type: 'text', text: content }, ...parts] };
    }
    case 'assistant': {
      const { toolCalls = [] } = message;
      const calls = toolCalls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input }));
      // Services refuse an empty text beside tool calls.
      return { role, content: content === '' && calls.length > 0 ? calls : [{ type: 'text', text: content }, ...calls] };
    }
    case 'tool': {
      const { toolCallId, toolName } = message;
      return { role, content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: content } }] };
    }
  }
}

/** Nothing at all for a request without tools. */
export function toolOptions({ tools, toolChoice }: ChatRequest): Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'> {
  if (tools === undefined || tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
    ...(toolChoice === undefined ? {} : { toolChoice: { type: toolChoice } }),
  };
}

/** A model may write what is no JSON; whoever runs the tool tells it so. */
export function inputOf(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): ChatUsage {
  return { inputTokens: inputTokens.total, outputTokens: outputTokens.total };
}
