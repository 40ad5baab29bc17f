import { AppError, type ErrorBody, type ErrorCode } from '../../core/errors/index.js';
import { currentRequestId } from '../../core/context/request-context.js';
import { RawData, type StreamEvent } from '../../core/http/index.js';
import type { Cursor } from '../../core/journal/index.js';
import type { Exchange, FinalResponse, PartEvent, ResponseWriter } from '../../modules/protocols/index.js';
import type { ChatChoiceView, ChatCompletionView, ChatToolCallView, ChatUsageView } from './chat.dto.js';
import { toOpenAiError } from './openai-errors.js';

const DONE: StreamEvent = { data: new RawData('[DONE]') };
const FINISH = { stop: 'stop', length: 'length', 'content-filter': 'content_filter', 'tool-calls': 'tool_calls' } as const;

/** Fields that all chunks of a completion share. */
interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** @param model as the caller named it */
export function headOf({ replyId, message, from }: Exchange, model: string): CompletionHead {
  const part = from.offset ?? from.step;
  return { id: `chatcmpl-${replyId}${part === undefined ? '' : `-${part}`}`, created: Math.floor(message.createdAt / 1000), model };
}

/** The whole reply. */
export function presentCompletion(head: CompletionHead, final: FinalResponse): ChatCompletionView {
  const { text, calls, usage } = final;
  const message = {
    role: 'assistant' as const,
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(calls.length > 0 && { tool_calls: calls.map(presentCall) }),
  };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(final) }],
    usage: presentUsage(usage),
  };
}

/** The reply as chunks. A text that another attempt replaces cannot be taken back: the stream ends with an error, which clients repeat. */
export class ChatWriter implements ResponseWriter {
  private hasText = false;

  constructor(
    private readonly head: CompletionHead,
    private readonly includesUsage: boolean,
  ) {}

  begin(): StreamEvent[] {
    return [this.chunk({ role: 'assistant', content: '', refusal: null }, undefined)];
  }

  take(event: PartEvent): StreamEvent[] | undefined {
    switch (event.kind) {
      case 'text':
        this.hasText = true;
        return [this.chunk({ content: event.text }, event.cursor)];
      case 'round':
        return this.hasText ? [this.chunk({ content: '\n\n' }, event.cursor)] : [];
      case 'reset':
        return undefined;
      default:
        return [];
    }
  }

  end(final: FinalResponse): StreamEvent[] {
    const { cursor, calls } = final;
    return [
      ...calls.map((call, index) => this.chunk({ tool_calls: [{ index, ...presentCall(call) }] }, cursor)),
      this.chunk({}, cursor, finishOf(final)),
      ...(this.includesUsage ? [this.event({ choices: [], usage: presentUsage(final.usage) }, cursor)] : []),
      DONE,
    ];
  }

  fail({ code, message, details }: ErrorBody, cursor: Cursor | undefined): StreamEvent[] {
    const failure = toOpenAiError(new AppError(code as ErrorCode, message, details), currentRequestId());
    return [{ ...(cursor !== undefined && { id: cursor }), data: failure }];
  }

  private chunk(
    delta: Record<string, unknown>,
    cursor: Cursor | undefined,
    finish: ChatChoiceView['finish_reason'] | null = null,
  ): StreamEvent {
    return this.event(
      { choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...(this.includesUsage && { usage: null }) },
      cursor,
    );
  }

  private event(fields: Record<string, unknown>, cursor: Cursor | undefined): StreamEvent {
    return { ...(cursor !== undefined && { id: cursor }), data: { ...this.head, object: 'chat.completion.chunk', ...fields } };
  }
}

function finishOf({ reason }: FinalResponse): ChatChoiceView['finish_reason'] {
  return FINISH[reason];
}

function presentCall({ id, name, input }: FinalResponse['calls'][number]): ChatToolCallView {
  return { id, type: 'function', function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) } };
}

function presentUsage({ inputTokens, outputTokens }: FinalResponse['usage']): ChatUsageView {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}
