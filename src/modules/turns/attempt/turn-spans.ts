import type { Span } from '../../../core/telemetry/index.js';
import { redact, redactText } from '../../../core/logging/index.js';
import type { ActionResult } from '../../../plugin-sdk/index.js';
import type { ModelUsage } from '../../usage/index.js';
import type { ToolCall } from '../tools/action-arguments.js';
import { resultText } from '../tools/action-result.js';
import type { RecordedPrompt } from '../prompt/recorded-prompt.js';
import type { StageSpan } from '../turn-trace.js';
import type { Turn } from '../turns.types.js';

// Names and attributes of OpenTelemetry's semantic conventions for generative AI; `parley.` is for what these do not name.

/** An attempt at a turn. */
export function agentSpan({ agent, agentId, channelId, messageId, replyId, attempts }: Turn): StageSpan {
  return {
    name: `invoke_agent ${agent.name}`,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agentId,
      'gen_ai.agent.name': agent.name,
      'gen_ai.conversation.id': channelId,
      'parley.message.id': messageId,
      'parley.reply.id': replyId,
      'parley.turn.attempt': attempts,
    },
  };
}

/** A call of an action or of a tool of a tool source. */
export function toolSpan(name: string, callId: string): StageSpan {
  return {
    name: `execute_tool ${name}`,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
    },
  };
}

/** The tokens of all attempts so far. */
export function setTurnUsage(span: Span, { inputTokens, outputTokens }: ModelUsage): void {
  span.set('gen_ai.usage.input_tokens', inputTokens ?? undefined);
  span.set('gen_ai.usage.output_tokens', outputTokens ?? undefined);
}

/** The prompt and the reply, which are sent only with OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT. */
export function setChatContent(
  span: Span,
  { messages, tools }: RecordedPrompt,
  reply: string,
  calls: readonly ToolCall[],
  reason: string,
): void {
  const text = (content: string): object[] => (content === '' ? [] : [{ type: 'text', content }]);
  const system = messages.filter(({ role }) => role === 'system').flatMap(({ content }) => text(content));
  const input = messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content, toolCalls = [], toolCallId }) => ({
      role,
      parts:
        toolCallId === undefined
          ? [...text(content), ...toolCalls.map(({ id, name, input: given }) => ({ type: 'tool_call', id, name, arguments: given }))]
          : [{ type: 'tool_call_response', id: toolCallId, response: content }],
    }));
  const called = calls.map(({ id, name, input: given }) => ({ type: 'tool_call', id, name, arguments: redact(given) }));
  const output = [{ role: 'assistant', parts: [...text(redactText(reply)), ...called], finish_reason: reason }];
  span.set('gen_ai.system_instructions', JSON.stringify(system));
  span.set('gen_ai.input.messages', JSON.stringify(input));
  span.set('gen_ai.output.messages', JSON.stringify(output));
  span.set('gen_ai.tool.definitions', tools.length === 0 ? undefined : JSON.stringify(tools.map((name) => ({ type: 'function', name }))));
}

/** As `setChatContent`, for a tool. */
export function setToolContent(span: Span, { input }: ToolCall, result: ActionResult): void {
  span.set('gen_ai.tool.call.arguments', redactText(JSON.stringify(redact(input)) ?? ''));
  span.set('gen_ai.tool.call.result', redactText(resultText(result)));
}
