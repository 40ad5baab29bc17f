import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { AppError } from '../../core/errors/index.js';
import { ChatModel, type ChatEvent, type ChatRequest } from './chat-model.js';
import { TextSink } from './direct-text.js';
import { parseToolInput, toPromptMessage, toToolOptions, toChatUsage } from './sdk-prompt.js';
import {
  CallDeadline,
  toAttemptFailure,
  IncompleteStreamError,
  OtherContentError,
  StreamError,
  withRetries,
  type SdkTarget,
} from '../sdk/index.js';

const STREAM = 'text/event-stream';

/** A language model of the AI SDK's provider interface, loaded on first use. */
export class SdkChatModel extends ChatModel {
  override readonly provider: string;
  override readonly modelId: string;
  override readonly supportsImages: boolean;
  override readonly supportsDocuments: boolean;
  private loading: Promise<LanguageModelV3> | undefined;

  constructor(
    private readonly target: SdkTarget,
    private readonly load: () => Promise<LanguageModelV3>,
  ) {
    super();
    this.provider = target.provider;
    this.modelId = target.modelId;
    this.supportsImages = target.supportsImages === true;
    this.supportsDocuments = target.supportsDocuments === true;
  }

  override async *stream(request: ChatRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ChatEvent, void, undefined> {
    const limit = new CallDeadline(this.target, [signal]);
    let open = true;
    try {
      const options = {
        prompt: request.messages.map(toPromptMessage),
        temperature: request.temperature,
        maxOutputTokens: request.maxOutputTokens,
        ...toToolOptions(request),
        abortSignal: limit.signal,
      };
      const text = new TextSink(limit.signal);
      const { events, first } = await withRetries(this.target, limit, () => this.open(options, text));
      let event = first;
      while (event.type !== 'finish') {
        yield event;
        limit.signal.throwIfAborted();
        event = await this.next(events, limit);
      }
      limit.release();
      open = false;
      this.target.watch?.succeeded();
      yield event;
    } catch (error) {
      if (!signal.aborted && error instanceof AppError) this.target.watch?.failed(error);
      throw error;
    } finally {
      // After a complete answer nothing is open, and an abort is expensive.
      if (open) limit.close();
    }
  }

  private async open(options: LanguageModelV3CallOptions, text: TextSink): Promise<{ events: Events; first: ChatEvent }> {
    this.loading ??= this.load();
    const { stream, response } = await (await this.loading).doStream(options);
    const events = new Events(stream.getReader(), text, mediaTypeOf(response?.headers?.['content-type']));
    return { events, first: await events.next() };
  }

  private async next(events: Events, limit: CallDeadline): Promise<ChatEvent> {
    try {
      return await events.next();
    } catch (error) {
      limit.signal.throwIfAborted();
      throw (await toAttemptFailure(error, this.target)).error;
    }
  }
}

/** The events of one answer, from the SDK and from the sink. */
class Events {
  /** The SDK's next event, which text may overtake. */
  private pending: Promise<ChatEvent> | undefined;
  private model: string | undefined;
  private hasBegun = false;

  constructor(
    private readonly parts: ReadableStreamDefaultReader<LanguageModelV3StreamPart>,
    private readonly text: TextSink,
    private readonly mediaType: string,
  ) {}

  /** The next delta or tool call, or the finish after the stream has ended, so that the connection is free for the next call. */
  async next(): Promise<ChatEvent> {
    this.pending ??= this.nextOfSdk();
    // Text that arrived before the SDK failed comes first.
    await Promise.race([this.text.next(), this.pending.catch(() => undefined)]);
    const text = this.text.take();
    if (text !== '') return { type: 'delta', text };
    const event = await this.pending;
    this.pending = undefined;
    return event;
  }

  private async nextOfSdk(): Promise<ChatEvent> {
    const { parts } = this;
    let finish: ChatEvent | undefined;
    for (;;) {
      const { done, value: part } = await parts.read();
      if (done) {
        if (finish === undefined) throw this.failure(new IncompleteStreamError('The stream ended without a finish.'));
        return finish;
      }
      this.hasBegun ||= part.type !== 'stream-start' && part.type !== 'error';
      if (part.type === 'text-delta') {
        if (part.delta !== '') return { type: 'delta', text: part.delta };
      } else if (part.type === 'tool-call') {
        return { type: 'tool-call', id: part.toolCallId, name: part.toolName, input: parseToolInput(part.input) };
      } else if (part.type === 'response-metadata') {
        this.model = part.modelId ?? this.model;
      } else if (part.type === 'finish') {
        finish = { type: 'finish', reason: part.finishReason.unified, usage: toChatUsage(part.usage), model: this.model };
      } else if (part.type === 'error') {
        await parts.cancel();
        throw this.failure(new StreamError(part.error));
      }
    }
  }
  /** Some services stream under another media type, so it counts only when nothing of an answer has arrived. */
  private failure(error: Error): Error {
    return this.hasBegun || this.mediaType === STREAM ? error : new OtherContentError(this.mediaType);
  }
}

/** The media type without parameters; that of a stream when there is none or none that is valid. */
function mediaTypeOf(contentType = STREAM): string {
  return /^[\w.+-]{1,40}\/[\w.+-]{1,40}(?=\s*(;|$))/.exec(contentType)?.[0].toLowerCase() ?? STREAM;
}
