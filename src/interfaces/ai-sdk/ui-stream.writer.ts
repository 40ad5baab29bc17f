import type { ErrorBody } from '../../core/errors/index.js';
import { RawData, type StreamEvent } from '../../core/http/index.js';
import type { Cursor } from '../../core/journal/index.js';
import type { Exchange, FinalResponse, PartEvent, ResponseWriter } from '../../modules/protocols/index.js';
import type { UiMessageChunkView } from './ui-chat.dto.js';

/** Tells clients which protocol the events are of. */
export const UI_STREAM_HEADERS = { 'X-Vercel-AI-UI-Message-Stream': 'v1' };

type Chunk = UiMessageChunkView;
type ActionEvent = Extract<PartEvent, { kind: 'action' }>;
type GivenCall = Extract<PartEvent, { kind: 'given' }>['calls'][number];

/**
 * A reply as parts of a UI message. A step is a call of the model: its reasoning, its text, and the calls of tools. Calls of the agent's own
 * actions are dynamic and `providerExecuted`, so that clients do not run them; the caller's are not.
 */
export class UiStreamWriter implements ResponseWriter {
  private parts = 0;
  private open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined;
  private hasStep = false;
  /** Whether text has been told that another attempt would replace. */
  private hasText = false;
  /** Whether what comes is of another call of the model. */
  private isOver = false;
  private isVoid = false;
  private readonly announced = new Set<string>();

  constructor(private readonly exchange: Pick<Exchange, 'message' | 'agentId' | 'replyId'>) {}

  begin(): StreamEvent[] {
    const { message, agentId, replyId } = this.exchange;
    const messageMetadata = { conversationId: message.channelId, messageId: message.id, agentId };
    return eventsOf([{ type: 'start', messageId: replyId, messageMetadata }], undefined);
  }

  take(event: PartEvent): StreamEvent[] | undefined {
    switch (event.kind) {
      case 'text':
      case 'reasoning':
        return eventsOf(this.tell(event.kind, event.text), event.cursor);
      case 'round':
        return eventsOf(this.endRound(), event.cursor);
      case 'reset':
        this.isVoid = this.hasText;
        return this.isVoid ? undefined : eventsOf(this.endRound(), event.cursor);
      case 'action':
        return eventsOf(this.act(event), event.cursor);
      case 'given':
        return eventsOf(this.give(event.calls), event.cursor);
    }
  }

  end({ calls, citations, reason, usage, cursor }: FinalResponse): StreamEvent[] {
    const sources = citations.map(({ document, url, place, quote, reference }, index): Chunk => {
      const source = { sourceId: `${this.exchange.replyId}:source-${index + 1}`, title: document };
      const providerMetadata = { parley: { place, quote, ...(reference !== undefined && { reference }) } };
      return url === null
        ? { type: 'source-document', ...source, mediaType: 'text/plain', providerMetadata }
        : { type: 'source-url', ...source, url, providerMetadata };
    });
    const called = calls.map(({ id, name, input }): Chunk => ({ type: 'tool-input-available', toolCallId: id, toolName: name, input }));
    const content = [...called, ...sources];
    return [
      ...eventsOf([...this.close(), ...(content.length > 0 ? this.step() : []), ...content, ...this.endStep()], cursor),
      ...eventsOf([{ type: 'finish', finishReason: reason, messageMetadata: { usage } }], cursor),
      DONE,
    ];
  }

  fail({ code, message, details }: ErrorBody, cursor: Cursor | undefined): StreamEvent[] {
    const last: Chunk =
      code === 'TURN_CANCELLED'
        ? { type: 'abort', reason: message }
        : { type: 'error', errorText: this.isVoid ? VOID : sentences(message, details) };
    return [...eventsOf([...this.close(), ...this.endStep(), last], cursor), DONE];
  }

  private tell(kind: 'text' | 'reasoning', delta: string): Chunk[] {
    const before = this.open?.kind === kind ? [] : [...this.close(), ...this.step()];
    const isNew = this.open === undefined;
    this.open ??= { kind, id: `${kind}-${++this.parts}` };
    this.hasText ||= kind === 'text';
    const { id } = this.open;
    return [...before, ...(isNew ? [{ type: `${kind}-start`, id }] : []), { type: `${kind}-delta`, id, delta }];
  }

  private act({ change, details }: ActionEvent): Chunk[] {
    const toolCallId = `${this.exchange.replyId}:${change.step}`;
    const of = { toolCallId, dynamic: true, providerExecuted: true };
    const begun: Chunk[] = [];
    // Another attempt may begin an action again.
    if (!this.announced.has(toolCallId)) {
      this.announced.add(toolCallId);
      const input = details?.arguments ?? {};
      begun.push(...this.close(), ...this.stepOfCalls(), { type: 'tool-input-available', ...of, toolName: change.action, input });
    }
    // What a model said before a call that it made is not replaced.
    this.hasText = false;
    if (change.status === 'started') return begun;
    this.isOver = true;
    const ended: Chunk = change.success
      ? { type: 'tool-output-available', ...of, output: details?.result ?? null }
      : { type: 'tool-output-error', ...of, errorText: errorOf(details?.result) };
    return [...begun, ended];
  }

  /** Without `tool-input-available`, at which a client would run the tool again. */
  private give(calls: readonly GivenCall[]): Chunk[] {
    const told = calls.flatMap(({ id: toolCallId, name, input, text, isError }): Chunk[] => [
      { type: 'tool-input-start', toolCallId, toolName: name },
      { type: 'tool-input-delta', toolCallId, inputTextDelta: JSON.stringify(input ?? {}) },
      isError
        ? { type: 'tool-output-error', toolCallId, errorText: text }
        : { type: 'tool-output-available', toolCallId, output: outputOf(text) },
    ]);
    const chunks = [...this.close(), ...this.stepOfCalls(), ...told];
    this.isOver = true;
    this.hasText = false;
    return chunks;
  }

  private endRound(): Chunk[] {
    this.isOver = true;
    this.hasText = false;
    return this.close();
  }

  /** Begins a step, or another one behind what is over. */
  private step(): Chunk[] {
    const before = this.isOver ? this.endStep() : [];
    return [...before, ...this.stepOfCalls()];
  }

  /** Begins a step if there is none: calls belong to the text before them. */
  private stepOfCalls(): Chunk[] {
    if (this.hasStep) return [];
    this.hasStep = true;
    this.isOver = false;
    return [{ type: 'start-step' }];
  }

  private endStep(): Chunk[] {
    if (!this.hasStep) return [];
    this.hasStep = false;
    return [{ type: 'finish-step' }];
  }

  private close(): Chunk[] {
    if (!this.open) return [];
    const { kind, id } = this.open;
    this.open = undefined;
    return [{ type: `${kind}-end`, id }];
  }
}

const DONE: StreamEvent = { data: new RawData('[DONE]') };
const VOID =
  'The reply was begun again by another server, and what has come of it is void. Resume the stream: it comes from its beginning.';

/** The cursor is behind all chunks of an event, so the last one has it. */
function eventsOf(chunks: readonly Chunk[], cursor: Cursor | undefined): StreamEvent[] {
  return chunks.map((data, index) => ({ ...(cursor !== undefined && index === chunks.length - 1 && { id: cursor }), data }));
}

function sentences(message: string, details: string): string {
  if (details.startsWith(message)) return details;
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${details}`.trim();
}

/** The error of an action, for callers who may read it. */
function errorOf(result: unknown): string {
  const { error, text } = (typeof result === 'object' && result !== null ? result : {}) as { error?: unknown; text?: unknown };
  return [error, text].find((each): each is string => typeof each === 'string' && each !== '') ?? 'The action failed.';
}

/** The output as it was given: JSON of an object or list; else a text. */
function outputOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
