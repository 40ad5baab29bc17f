import type { Clock } from '../clock/index.js';
import { Log } from '../logging/index.js';
import { drained } from './client-gone.js';
import type { HttpRequest, HttpResponse } from './express.js';

/** One server-sent event. */
export interface StreamEvent {
  /** Offset in the journal; a reader that reconnects sends it back as Last-Event-ID. */
  readonly id?: number;
  readonly event: string;
  readonly data: unknown;
}

const PING_MS = 15_000;
// A client has to take a piece within this; what it did not take in time it gets when it comes back with its cursor.
const STALLED_MS = 10_000;
const PIECE_BYTES = 16_384;

const log = new Log('http');

/**
 * Sends events until they end or the client leaves. `events` gets a signal that aborts when the client has gone.
 * A client that takes nothing for 10 s while events wait for it is cut, as a socket that does not read is.
 * A failure before the first event is thrown, so that it becomes an ordinary error answer; a later one cuts the stream.
 */
export async function sendEventStream(
  exchange: { request: HttpRequest; response: HttpResponse; clock: Clock; status?: number; headers?: Record<string, string> },
  events: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
): Promise<void> {
  const { response, clock } = exchange;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
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
  response.flushHeaders();
  let stopPings = schedulePing();
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
    stopPings();
    gone.abort();
    await iterator.return?.();
  }

  /** Piece by piece, so that a slow client is told from one that does not read. */
  async function send(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !gone.signal.aborted; at += PIECE_BYTES) {
      if (response.write(bytes.subarray(at, at + PIECE_BYTES))) continue;
      const cancel = clock.after(STALLED_MS, () => {
        log.warn('an event stream is not read and is cut', { path: exchange.request.path });
        response.destroy();
        gone.abort();
      });
      await drained(response, gone.signal);
      cancel();
    }
  }

  function schedulePing(): () => void {
    return clock.after(PING_MS, () => {
      // A client that has not taken what came before learns nothing from one more.
      if (!response.writableNeedDrain) response.write(': ping\n\n');
      stopPings = schedulePing();
    });
  }
}

/** The cursor of a reader that comes back: the Last-Event-ID header, or `lastEventId` in the query; undefined when it is new. */
export function lastEventId(request: HttpRequest): number | undefined {
  const raw = request.get('last-event-id') ?? request.query['lastEventId'];
  return typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : undefined;
}

function frame({ id, event, data }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
