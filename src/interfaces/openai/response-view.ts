import { AppError, type ErrorBody, type ErrorCode } from '../../core/errors/index.js';
import type { Message } from '../../modules/messaging/index.js';
import { toOpenAiError } from './openai-errors.js';
import type { OpenAiErrorView } from './openai.dto.js';
import type { ResponseEvent } from './response-sequence.js';
import { conversationId, responseId } from './response-ids.js';
import type { ResponseSettings } from './response-settings.js';
import type { ResponseState } from './response-state.js';
import type { ResponseUsageView, ResponseView } from './responses.dto.js';

export type Usage = NonNullable<ResponseState['usage']>;

/** A response with all fields of the protocol. @param part as `Exchange.from.step` */
export function presentResponse(
  message: Pick<Message, 'id' | 'channelId' | 'createdAt'>,
  part: number | undefined,
  settings: ResponseSettings,
  state: Omit<ResponseState, 'rounds'>,
): ResponseView {
  const { status, completedAt, error, incompleteReason, output, usage } = state;
  return {
    id: responseId(message.id, part),
    object: 'response',
    created_at: seconds(message.createdAt),
    status,
    ...settings,
    conversation: settings.conversation && { id: conversationId(message.channelId) },
    completed_at: completedAt === null ? null : seconds(completedAt),
    error: error && presentFailure(error),
    incomplete_details: incompleteReason && { reason: incompleteReason },
    max_tool_calls: null,
    output: output.map((item) => ({ ...item })),
    prompt: null,
    service_tier: 'default',
    top_logprobs: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    usage: usage && presentUsage(usage),
  };
}

/** What went wrong, as an event: in the form of OpenAI, and under "error" in that of Open Responses. */
export function presentErrorEvent(error: ErrorBody, sequence: number): ResponseEvent {
  const { type, code, message, param } = detailOf(error);
  return { type: 'error', sequence_number: sequence, code, message, param, error: { type, code, message, param } };
}

/** The error of a failed reply. */
function presentFailure(error: ErrorBody): { code: string; message: string } {
  const { code, message } = detailOf(error);
  return { code: code ?? 'server_error', message };
}

function detailOf({ code, message, details }: ErrorBody): OpenAiErrorView['error'] {
  return (toOpenAiError(new AppError(code as ErrorCode, message, details), undefined) as OpenAiErrorView).error;
}

function presentUsage({ inputTokens, outputTokens }: Usage): ResponseUsageView {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

function seconds(epochMs: number): number {
  return Math.floor(epochMs / 1000);
}
