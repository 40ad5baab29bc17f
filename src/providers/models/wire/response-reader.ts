import type { ChatTool } from '../chat-model.js';
import { IncompleteStreamError, InvalidResponseError, OtherContentError } from '../../sdk/index.js';
import { AnthropicReader } from './anthropic-reader.js';
import { CompletionsReader } from './completions-reader.js';
import type { MessageReader, ReadEvent } from './message-reader.js';
import { PayloadReader, type Payload } from './payload-reader.js';

/** The two families of APIs: chat completions of OpenAI and compatible services, and messages of Anthropic. */
export type Dialect = 'chat-completions' | 'anthropic';

export interface ResponseReaderOptions {
  readonly dialect: Dialect;
  /** The tools that the request offered: only calls of these are recognised when they are written as text. */
  readonly tools: readonly ChatTool[];
  /** The media type of the response, for the error about one that is no stream. */
  readonly mediaType: string;
}

const READERS = { 'chat-completions': CompletionsReader, anthropic: AnthropicReader } as const;
const STREAM = 'text/event-stream';

/**
 * Reads the response of a service, in whatever pieces it arrives. The events come in the order of the bytes, and each says everything that
 * could be understood so far. The last event is a `finish` or a `failure`; nothing follows it.
 */
export class ResponseReader {
  private readonly payloads = new PayloadReader();
  private readonly message: MessageReader;
  private readonly mediaType: string;
  private hasBegun = false;
  private hasEnded = false;

  constructor({ dialect, tools, mediaType }: ResponseReaderOptions) {
    this.message = new READERS[dialect](tools);
    this.mediaType = mediaType;
  }

  read(bytes: Uint8Array): ReadEvent[] {
    return this.hasEnded ? [] : this.take(this.payloads.read(bytes));
  }

  /** The body has ended. */
  end(): ReadEvent[] {
    if (this.hasEnded) return [];
    const events = this.take(this.payloads.end());
    if (this.hasEnded) return events;
    this.hasEnded = true;
    return [...events, ...this.message.end(this.unfinished())];
  }

  private take(payloads: readonly Payload[]): ReadEvent[] {
    for (const payload of payloads) {
      if (payload === 'done') this.message.done();
      else if (payload === 'unreadable') this.message.fail(new InvalidResponseError('An event of the response is no JSON.'));
      else {
        this.hasBegun = true;
        this.message.read(payload.value);
      }
      if (this.message.hasEnded) {
        this.hasEnded = true;
        break;
      }
    }
    return this.message.take();
  }

  /** Some services stream under another media type, so it counts only when nothing of a response has arrived. */
  private unfinished(): Error {
    if (this.hasBegun || this.mediaType === STREAM) return new IncompleteStreamError('The response has no end.');
    return new OtherContentError(this.mediaType);
  }
}
