import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { ChatModel, type ChatEvent, type ChatRequest } from './chat-model.js';
import { inputOf, promptMessage, toolOptions, usageOf } from './sdk-prompt.js';
import { CallLimit, failureOf, StreamCut, StreamFault, withAttempts, type SdkTarget } from '../sdk/index.js';

type Parts = ReadableStreamDefaultReader<LanguageModelV3StreamPart>;

/** Any language model of the AI SDK's provider level, loaded when it is first used. */
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
    const limit = new CallLimit(this.target, [signal]);
    let open = true;
    try {
      const options = {
        prompt: request.messages.map(promptMessage),
        temperature: request.temperature,
        maxOutputTokens: request.maxOutputTokens,
        ...toolOptions(request),
        abortSignal: limit.signal,
      };
      const { parts, first } = await withAttempts(this.target, limit, () => this.open(options));
      let event = first;
      while (event.type !== 'finish') {
        yield event;
        limit.signal.throwIfAborted();
        event = await this.next(parts, limit);
      }
      limit.release();
      open = false;
      yield event;
    } finally {
      // An answer that was read to its end leaves nothing open, and an abort is not cheap.
      if (open) limit.close();
    }
  }

  private async open(options: LanguageModelV3CallOptions): Promise<{ parts: Parts; first: ChatEvent }> {
    this.loading ??= this.load();
    const { stream } = await (await this.loading).doStream(options);
    const parts = stream.getReader();
    return { parts, first: await nextEvent(parts) };
  }

  private async next(parts: Parts, limit: CallLimit): Promise<ChatEvent> {
    try {
      return await nextEvent(parts);
    } catch (error) {
      limit.signal.throwIfAborted();
      throw (await failureOf(error, this.target)).error;
    }
  }
}

/** The next delta or tool call, or the finish once the stream has ended: the connection is free for the next call by then. */
async function nextEvent(parts: Parts): Promise<ChatEvent> {
  let finish: ChatEvent | undefined;
  for (;;) {
    const { done, value: part } = await parts.read();
    if (done) {
      if (finish === undefined) throw new StreamCut('The stream ended without a finish.');
      return finish;
    }
    if (part.type === 'text-delta') {
      if (part.delta !== '') return { type: 'delta', text: part.delta };
    } else if (part.type === 'tool-call') {
      return { type: 'tool-call', id: part.toolCallId, name: part.toolName, input: inputOf(part.input) };
    } else if (part.type === 'finish') {
      finish = { type: 'finish', reason: part.finishReason.unified, usage: usageOf(part.usage) };
    } else if (part.type === 'error') {
      await parts.cancel();
      throw new StreamFault(part.error);
    }
  }
}
