import type { LanguageModelV3CallOptions, LanguageModelV3Message, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { ChatMessage, ChatRequest, ChatUsage } from './chat-model.js';

/** Converts a message to the AI SDK's provider interface. */
export function toPromptMessage(message: ChatMessage): LanguageModelV3Message {
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
      // Services reject an empty text next to tool calls.
      return { role, content: content === '' && calls.length > 0 ? calls : [{ type: 'text', text: content }, ...calls] };
    }
    case 'tool': {
      const { toolCallId, toolName } = message;
      return { role, content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: content } }] };
    }
  }
}

/** Converts tools to the AI SDK's options; empty for a request without tools. */
export function toToolOptions({ tools, toolChoice }: ChatRequest): Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'> {
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

/** Parses a tool's input. Invalid JSON is returned as text; the caller reports it to the model. */
export function parseToolInput(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function toChatUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): ChatUsage {
  return { inputTokens: inputTokens.total, outputTokens: outputTokens.total };
}
