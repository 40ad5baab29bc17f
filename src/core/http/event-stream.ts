import type { Clock } from '../clock/index.js';
import { PAGE_BYTES } from '../database/index.js';
import { Log } from '../logging/index.js';
import { disconnectSignal } from './disconnect-signal.js';
import { endHeadResponse } from './head-response.js';
import { hearingSignal } from './held-access.js';
import { EVENT_STREAMS } from './request-metrics.js';
import type { HttpRequest, HttpResponse } from './express.js';
import { unreadResponses, waitForDrain } from './unread-responses.js';

/** One server-sent event. */
export interface StreamEvent {
  /** Offset in the journal; a client that reconnects sends it as Last-Event-ID. */
  readonly id?: number | string;
  readonly event: string;
  readonly data: unknown;
}

const PING_MS = 15_000;
// A client must accept a chunk within this time. A disconnected client resumes from its cursor.
const STALL_TIMEOUT_MS = 10_000;
const CHUNK_BYTES = 16_384;

const log = new Log('http');

/**
 * Sends events until they end, the client disconnects, or it may no longer hear of the channel. `events` gets a signal that aborts then. A client
 * that accepts nothing for 10 s while events are pending, or does not read while too much waits for clients, is disconnected. A failure before the first event is thrown and becomes an ordinary
 * error response; a later one closes the connection.
 */
export async function sendEventStream(
  exchange: {
    request: HttpRequest;
    response: HttpResponse;
    clock: Clock;
    /** The channel that the events tell of. */
    channelId?: string;
    status?: number;
    headers?: Record<string, string>;
  },
  events: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
): Promise<void> {
  const { request, response, clock, channelId } = exchange;
  const gone = new AbortController();
  const heard = channelId === undefined ? disconnectSignal(response) : hearingSignal(request, response, channelId);
  if (heard.aborted) gone.abort();
  else heard.addEventListener('abort', () => gone.abort(), { once: true });
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
  if (exchange.request.method === 'HEAD') {
    gone.abort();
    await iterator.return?.();
    endHeadResponse(response);
    return;
  }
  response.flushHeaders();
  let stopPings = schedulePing();
  EVENT_STREAMS.add(1);
  try {
    while (!next.done && !gone.signal.aborted) {
      await send(Buffer.from(frame(next.value)));
      next = await iterator.next();
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    EVENT_STREAMS.add(-1);
    stopPings();
    gone.abort();
    await iterator.return?.();
  }

  /** Writes in chunks, to distinguish a slow client from one that does not read. */
  async function send(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !gone.signal.aborted; at += CHUNK_BYTES) {
      if (response.write(bytes.subarray(at, at + CHUNK_BYTES))) continue;
      const { unread, address } = unreadResponses(response);
      if (!unread.hasRoom(address)) {
        cut('too much waits for clients');
        return;
      }
      const cancel = clock.after(STALL_TIMEOUT_MS, () => cut('its client does not read'));
      // The entries that follow are read in parts of a page.
      await waitForDrain(response, gone.signal, PAGE_BYTES);
      cancel();
    }
  }

  function cut(reason: string): void {
    log.warn(`an event stream is closed: ${reason}`, { path: exchange.request.path });
    response.destroy();
    gone.abort();
  }

  function schedulePing(): () => void {
    return clock.after(PING_MS, () => {
      // A ping behind pending data has no effect.
      if (!response.writableNeedDrain) response.write(': ping\n\n');
      stopPings = schedulePing();
    });
  }
}

/** The cursor of a reconnecting client: the Last-Event-ID header or the query parameter `lastEventId`; undefined for a new client. */
export function lastEventId(request: HttpRequest): number | undefined {
  const raw = request.get('last-event-id') ?? request.query['lastEventId'];
  return typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : undefined;
}

function frame({ id, event, data }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
