import type { Clock } from '../../core/clock/index.js';
import { ConnectionLostError, type CallDeadline } from '../sdk/index.js';
import type { ChatEvent } from './chat-model.js';
import { ResponseReader, type ResponseReaderOptions } from './wire/response-reader.js';
import type { ReadEvent } from './wire/message-reader.js';

/** The media type of a response without one. */
const STREAM = 'text/event-stream';
/** How long the rest of a finished response is read, so that its connection can serve the next call. */
const REST_MS = 1000;

/** The events of a response in their order, and then its failure if it has one. */
export class ServiceResponse {
  private readonly body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private readonly reader: ResponseReader;
  private events: ReadEvent[] = [];
  private position = 0;
  private failure: Error | undefined;

  constructor(
    response: Response,
    options: Omit<ResponseReaderOptions, 'mediaType'>,
    private readonly limit: CallDeadline,
    private readonly clock: Clock,
  ) {
    const mediaType = mediaTypeOf(response.headers.get('content-type') ?? STREAM);
    this.reader = new ResponseReader({ ...options, mediaType });
    this.body = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  }

  /** @throws what ends the response early, after the events before it; the reason of the limit's signal */
  async next(): Promise<ChatEvent> {
    for (;;) {
      const event = this.poll();
      if (event !== undefined) return event;
      await this.wait();
    }
  }

  /** The next event that is here. @throws as `next` */
  poll(): ChatEvent | undefined {
    const event = this.events[this.position];
    if (event === undefined) {
      if (this.failure !== undefined) throw this.failure;
      return undefined;
    }
    this.position += 1;
    if (event.type === 'failure') throw event.error;
    return event;
  }

  /** Reads more of the response. */
  async wait(): Promise<void> {
    this.position = 0;
    this.events = [];
    try {
      const { done, value } = (await this.body?.read()) ?? { done: true, value: undefined };
      this.limit.heard();
      this.events = done ? this.reader.end() : this.reader.read(value);
      if (!done && this.events.at(-1)?.type === 'finish') this.readRest();
      if (!done && this.events.at(-1)?.type === 'failure') void this.body?.cancel().catch(() => undefined);
    } catch (error) {
      this.breakOff(error);
    }
  }

  /** Delivers what the reader still holds. A response that was complete, but whose connection broke, is complete. */
  private breakOff(error: unknown): void {
    this.events = this.reader.end().filter(({ type }) => type !== 'failure');
    if (this.events.at(-1)?.type === 'finish' && !this.limit.signal.aborted) return;
    this.events = this.events.filter(({ type }) => type === 'delta' || type === 'reasoning' || type === 'reset');
    const { signal } = this.limit;
    this.failure = signal.aborted ? (signal.reason as Error) : new ConnectionLostError('The connection broke.', { cause: error });
  }

  private readRest(): void {
    const { body } = this;
    if (body === undefined) return;
    const stop = this.clock.after(REST_MS, () => void body.cancel().catch(() => undefined));
    const drain = async (): Promise<void> => {
      while (!(await body.read()).done);
    };
    void drain()
      .catch(() => undefined)
      .finally(stop);
  }
}

/** The media type without parameters; that of a stream when it is not valid. */
function mediaTypeOf(contentType: string): string {
  return /^[\w.+-]{1,40}\/[\w.+-]{1,40}(?=\s*(;|$))/.exec(contentType)?.[0].toLowerCase() ?? STREAM;
}
