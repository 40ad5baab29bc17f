import { currentRequestId } from '../../core/context/request-context.js';
import { AppError, type ErrorBody, type ErrorCode } from '../../core/errors/index.js';
import type { StreamEvent } from '../../core/http/index.js';
import type { Cursor } from '../../core/journal/index.js';
import type { Exchange, FinalResponse, PartEvent, ResponseWriter } from '../../modules/protocols/index.js';
import { toAnthropicError } from './anthropic-errors.js';
import type { AnthropicBlockView, AnthropicMessageView, AnthropicStopReason, AnthropicUsageView } from './messages.dto.js';

const STOP_REASONS: Readonly<Record<FinalResponse['reason'], AnthropicStopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'refusal',
  'tool-calls': 'tool_use',
};
const REFUSAL = { type: 'refusal', category: null, explanation: null } as const;

/** The fields that a reply has before it begins. */
interface MessageHead {
  readonly id: string;
  readonly model: string;
  /** Estimated tokens of the request. */
  readonly inputTokens: number;
}

/** @param model as the caller named it */
export function headOf({ replyId, from }: Exchange, model: string, inputTokens: number): MessageHead {
  const part = from.offset ?? from.step;
  return { id: `msg_${replyId.replaceAll('-', '')}${part === undefined ? '' : `_${part}`}`, model, inputTokens };
}

/** The whole reply. @param thoughts what the model thought, round by round; empty for a caller that does not hear it */
export function presentMessage(head: MessageHead, final: FinalResponse, thoughts: readonly string[]): AnthropicMessageView {
  return {
    ...emptyMessage(head),
    content: [
      ...thoughts.map((thinking): AnthropicBlockView => ({ type: 'thinking', thinking, signature: '' })),
      ...(final.text === '' ? [] : [textBlock(final.text)]),
      ...final.calls.map((call) => ({ ...callBlock(call), input: inputOf(call) })),
    ],
    ...endOf(final),
    usage: usageOf(final.usage),
  };
}

/** Collects what the model thinks: a block for each run of it. */
export class Thoughts {
  readonly blocks: string[] = [];
  private isOpen = false;

  take({ kind, ...event }: PartEvent): void {
    if (kind === 'reset') this.blocks.splice(0);
    if (kind === 'reasoning' && 'text' in event) {
      if (this.isOpen) this.blocks.push(`${this.blocks.pop() ?? ''}${event.text}`);
      else this.blocks.push(event.text);
    }
    this.isOpen = kind === 'reasoning';
  }
}

/** The reply as events. A text that another attempt replaces cannot be taken back: the stream ends with an error. */
export class MessagesWriter implements ResponseWriter {
  private open: 'text' | 'thinking' | undefined;
  private index = 0;

  constructor(
    private readonly head: MessageHead,
    private readonly hearsReasoning: boolean,
  ) {}

  begin(): StreamEvent[] {
    return [written({ type: 'message_start', message: emptyMessage(this.head) }, undefined), written({ type: 'ping' }, undefined)];
  }

  take(event: PartEvent): StreamEvent[] | undefined {
    const { cursor } = event;
    switch (event.kind) {
      case 'text':
        return [...this.begun('text', cursor), this.delta({ type: 'text_delta', text: event.text }, cursor)];
      case 'reasoning':
        if (!this.hearsReasoning) return [];
        return [...this.begun('thinking', cursor), this.delta({ type: 'thinking_delta', thinking: event.text }, cursor)];
      case 'round':
        return this.closed(cursor);
      case 'reset':
        return undefined;
      default:
        return [];
    }
  }

  end(final: FinalResponse): StreamEvent[] {
    const { cursor, calls } = final;
    return [
      ...this.closed(cursor),
      ...calls.flatMap((call) => this.call(call, cursor)),
      written({ type: 'message_delta', delta: { ...endOf(final), container: null }, usage: deltaUsageOf(final.usage) }, cursor),
      written({ type: 'message_stop' }, cursor),
    ];
  }

  fail({ code, message, details }: ErrorBody, cursor: Cursor | undefined): StreamEvent[] {
    const failure = new AppError(code as ErrorCode, message, details);
    return [written({ ...toAnthropicError(failure, currentRequestId()), type: 'error' }, cursor)];
  }

  private begun(type: 'text' | 'thinking', cursor: Cursor | undefined): StreamEvent[] {
    if (this.open === type) return [];
    const before = this.closed(cursor);
    this.open = type;
    const block: AnthropicBlockView = type === 'text' ? textBlock('') : { type, thinking: '', signature: '' };
    return [...before, written({ type: 'content_block_start', index: this.index, content_block: block }, cursor)];
  }

  private closed(cursor: Cursor | undefined): StreamEvent[] {
    if (this.open === undefined) return [];
    this.open = undefined;
    return [written({ type: 'content_block_stop', index: this.index++ }, cursor)];
  }

  private call(call: FinalResponse['calls'][number], cursor: Cursor | undefined): StreamEvent[] {
    const index = this.index++;
    const json = JSON.stringify(inputOf(call));
    return [
      written({ type: 'content_block_start', index, content_block: callBlock(call) }, cursor),
      written({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } }, cursor),
      written({ type: 'content_block_stop', index }, cursor),
    ];
  }

  private delta(delta: { readonly type: string; readonly [field: string]: unknown }, cursor: Cursor | undefined): StreamEvent {
    return written({ type: 'content_block_delta', index: this.index, delta }, cursor);
  }
}

function written(data: { readonly type: string; readonly [field: string]: unknown }, cursor: Cursor | undefined): StreamEvent {
  return { ...(cursor !== undefined && { id: cursor }), event: data.type, data };
}

function emptyMessage({ id, model, inputTokens }: MessageHead): AnthropicMessageView {
  return {
    ...{ id, type: 'message', role: 'assistant', model, content: [] },
    ...{ stop_reason: null, stop_sequence: null, stop_details: null },
    usage: usageOf({ inputTokens, outputTokens: 0 }),
    ...{ container: null, diagnostics: null },
  };
}

function endOf({ reason }: FinalResponse): Pick<AnthropicMessageView, 'stop_reason' | 'stop_sequence' | 'stop_details'> {
  return { stop_reason: STOP_REASONS[reason], stop_sequence: null, stop_details: reason === 'content-filter' ? REFUSAL : null };
}

function textBlock(text: string): AnthropicBlockView {
  return { type: 'text', text, citations: null };
}

function callBlock({ id, name }: FinalResponse['calls'][number]): AnthropicBlockView {
  return { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } };
}

/** Anthropic's protocol has objects only. Text that is no JSON is wrapped as Anthropic tells clients to do. */
function inputOf({ input }: FinalResponse['calls'][number]): Record<string, unknown> {
  if (typeof input === 'object' && !Array.isArray(input)) return { ...input };
  return { INVALID_JSON: typeof input === 'string' ? input : JSON.stringify(input) };
}

function usageOf({ inputTokens, outputTokens }: FinalResponse['usage']): AnthropicUsageView {
  return {
    ...deltaUsageOf({ inputTokens, outputTokens }),
    cache_creation: null,
    inference_geo: null,
    service_tier: 'standard',
    speed: null,
  };
}

function deltaUsageOf({
  inputTokens,
  outputTokens,
}: FinalResponse['usage']): Pick<
  AnthropicUsageView,
  'input_tokens' | 'output_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens' | 'output_tokens_details' | 'server_tool_use'
> {
  return {
    ...{ input_tokens: inputTokens, output_tokens: outputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    ...{ output_tokens_details: null, server_tool_use: null },
  };
}
