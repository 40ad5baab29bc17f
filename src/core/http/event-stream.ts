import type { Clock } from '../clock/index.js';
import { PAGE_BYTES } from '../database/index.js';
import type { Polled } from '../iteration/index.js';
import { parseCursor, type Cursor } from '../journal/index.js';
import { Log } from '../logging/index.js';
import { disconnectSignal } from './disconnect-signal.js';
import { endHeadResponse } from './head-response.js';
import { hearingSignal } from './held-access.js';
import { EVENT_STREAMS } from './request-metrics.js';
import { jsonLine } from '../text/index.js';
import type { HttpRequest, HttpResponse } from './express.js';
import { unreadResponses, waitForDrain } from './unread-responses.js';

/** One server-sent event. */
export interface StreamEvent {
  /** The cursor behind the event; a client that reconnects sends it as Last-Event-ID. */
  readonly id?: number | string;
  /** Absent in protocols whose events have no names. */
  readonly event?: string;
  readonly data: unknown;
}

/** Data of an event that is not JSON, such as the end mark of a protocol. */
export class RawData {
  constructor(readonly text: string) {}
}

/** No event: what a stream yields first when its first event may be long in coming, so that the client knows that it is connected. */
export const OPENED: Polled<StreamEvent> = { poll: () => undefined, wait: () => Promise.resolve(), hasEnded: true };

const PING_MS = 15_000;
// A client must accept a chunk within this time. A disconnected client resumes from its cursor.
const STALL_TIMEOUT_MS = 10_000;
const CHUNK_BYTES = 16_384;

const log = new Log('http');

/**
 * Sends events until they end, the client disconnects, or it may no longer read the channel. `events` gets a signal that aborts then; it yields
 * them, or sources of them. A client
 * that accepts nothing for 10 s while events are pending, or does not read while too much waits for clients, is disconnected. The headers are sent
 * with the first event, or with `OPENED`: a failure before it is thrown and becomes an ordinary error response; a later one closes the connection.
 */
export async function sendEventStream(
  exchange: {
    request: HttpRequest;
    response: HttpResponse;
    clock: Clock;
    /** The channel of the events. */
    channelId?: string;
    status?: number;
    headers?: Record<string, string>;
  },
  events: (signal: AbortSignal) => AsyncIterable<StreamEvent | Polled<StreamEvent>>,
): Promise<void> {
  const { request, response, clock, channelId } = exchange;
  const gone = new AbortController();
  const access = channelId === undefined ? disconnectSignal(response) : hearingSignal(request, response, channelId);
  if (access.aborted) gone.abort();
  else access.addEventListener('abort', () => gone.abort(), { once: true });
  const iterator = events(gone.signal)[Symbol.asyncIterator]();
  let next = await iterator.next();
  response.status(exchange.status ?? 200);
  response.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    Connection: 'keep-alive',
    'X-Accel-Buffering': 'no',
    ...exchange.headers,
  });
  if (request.method === 'HEAD') {
    gone.abort();
    await iterator.return?.();
    endHeadResponse(response);
    return;
  }
  response.flushHeaders();
  const writer = new EventStreamWriter(response, request.path, clock, gone);
  EVENT_STREAMS.add(1);
  try {
    while (!next.done && !gone.signal.aborted) {
      if ('poll' in next.value) await writer.sendAll(next.value);
      else await writer.send(next.value);
      next = await iterator.next();
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    EVENT_STREAMS.add(-1);
    writer.stop();
    gone.abort();
    await iterator.return?.();
  }
}

/** Writes events and pings to a response until `gone` aborts, which it does itself when the client does not read. */
class EventStreamWriter {
  private stopPings: () => void;

  constructor(
    private readonly response: HttpResponse,
    private readonly path: string,
    private readonly clock: Clock,
    private readonly gone: AbortController,
  ) {
    this.stopPings = this.schedulePing();
  }

  async sendAll(source: Polled<StreamEvent>): Promise<void> {
    while (!source.hasEnded && !this.gone.signal.aborted) {
      const event = source.poll();
      const waiting = event === undefined ? source.wait() : this.send(event);
      if (waiting) await waiting;
    }
  }

  /** @returns undefined when the client keeps up */
  send(event: StreamEvent): Promise<void> | undefined {
    const text = frame(event);
    if (text.length > CHUNK_BYTES) return this.sendInChunks(Buffer.from(text));
    return this.response.write(text) ? undefined : this.drained();
  }

  /** To distinguish a slow client from one that does not read. */
  private async sendInChunks(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !this.gone.signal.aborted; at += CHUNK_BYTES) {
      if (!this.response.write(bytes.subarray(at, at + CHUNK_BYTES))) await this.drained();
    }
  }

  private async drained(): Promise<void> {
    const { unread, address } = unreadResponses(this.response);
    if (!unread.hasRoom(address)) {
      this.cut('too much waits for clients');
      return;
    }
    const cancel = this.clock.after(STALL_TIMEOUT_MS, () => this.cut('its client does not read'));
    // The entries that follow are read in parts of a page.
    await waitForDrain(this.response, this.gone.signal, PAGE_BYTES);
    cancel();
  }

  stop(): void {
    this.stopPings();
  }

  private cut(reason: string): void {
    log.warn(`an event stream is closed: ${reason}`, { path: this.path });
    this.response.destroy();
    this.gone.abort();
  }

  private schedulePing(): () => void {
    return this.clock.after(PING_MS, () => {
      // A ping behind pending data has no effect.
      if (!this.response.writableNeedDrain) this.response.write(': ping\n\n');
      this.stopPings = this.schedulePing();
    });
  }
}

/**
 * The cursor of a reconnecting client: the Last-Event-ID header or the query parameter `lastEventId`; undefined for a new client.
 *
 * @throws AppError VALIDATION_ERROR when it is no cursor
 */
export function lastEventId(request: HttpRequest): Cursor | undefined {
  const header = request.get('last-event-id');
  if (header !== undefined && header !== '') return parseCursor(header, 'Last-Event-ID');
  const value = request.query['lastEventId'];
  return value === undefined || value === '' ? undefined : parseCursor(value, 'lastEventId');
}

function frame({ id, event, data }: StreamEvent): string {
  const names = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${names}data: ${data instanceof RawData ? data.text : jsonLine(JSON.stringify(data))}\n\n`;
}
