import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock/index.js';
import { AppError } from '../errors/index.js';
import type { BodyReservation } from './body-memory.js';

/** A body gets its time limit once more for each further portion, so that large uploads have more time. */
const PORTION_BYTES = 1024 * 1024;

/** The body of a request while it is read: its memory, and its time limit. */
export class ArrivingBody {
  private isOver = false;
  private abandon: () => void = () => undefined;

  /**
   * @param timeoutMs time for the body, and for each mebibyte of a larger one
   * @param begin     called before the first byte is awaited
   */
  constructor(
    private readonly request: IncomingMessage,
    private readonly reservation: BodyReservation,
    private readonly clock: Clock,
    private readonly timeoutMs: number,
    private readonly begin: () => void,
  ) {}

  /**
   * Watches the body. The reader must add its own listener in the same tick.
   *
   * @param refuse called at most once: with RATE_LIMIT_EXCEEDED, SERVER_BUSY, PAYLOAD_TOO_LARGE or REQUEST_TIMEOUT, or with `requestAborted`
   *   when the response has closed. The memory is free then, and the reader must drop what it has
   * @param keeps  bytes that the reader keeps in memory at most
   */
  watch(refuse: (error: Error) => void, keeps = Infinity): void {
    const { request, reservation, clock, timeoutMs } = this;
    let arrived = 0;
    let cancel = (): void => undefined;
    const fail = (error: Error): void => {
      stop();
      reservation.release();
      refuse(error);
    };
    const awaitPortion = (): void => {
      cancel();
      cancel = clock.after(timeoutMs, () => fail(tooSlow(timeoutMs)));
    };
    const count = ({ length }: Buffer): void => {
      const before = arrived;
      arrived += length;
      try {
        reservation.add(Math.min(arrived, keeps) - Math.min(before, keeps));
      } catch (error) {
        fail(error as AppError);
        return;
      }
      if (Math.floor(arrived / PORTION_BYTES) > Math.floor(before / PORTION_BYTES)) awaitPortion();
    };
    const stop = (): void => {
      this.abandon = () => undefined;
      cancel();
      request.off('data', count);
    };
    if (this.isOver) {
      refuse(requestAborted());
      return;
    }
    this.abandon = () => fail(requestAborted());
    awaitPortion();
    request.once('end', stop);
    request.on('data', count);
    this.begin();
  }

  /** Reserves memory in addition to that of the bytes that arrive. @throws AppError as `watch` refuses */
  hold(bytes: number): void {
    if (!this.isOver) this.reservation.add(bytes);
  }

  /** Ends the reading, because the response has closed. */
  close(): void {
    this.isOver = true;
    this.abandon();
    this.reservation.release();
  }
}

/** The error of a body that ends early, as body-parser has it. */
function requestAborted(): Error {
  return Object.assign(new Error('request aborted'), { status: 400, type: 'request.aborted' });
}

function tooSlow(timeoutMs: number): AppError {
  return new AppError(
    'REQUEST_TIMEOUT',
    'The request body did not arrive in time.',
    `The body, and each mebibyte of a larger one, has ${timeoutMs} ms (BODY_TIMEOUT_MS). Send it in one go.`,
  );
}

const ARRIVING = Symbol('arriving body');
type Marked = IncomingMessage & { [ARRIVING]?: ArrivingBody };

export function setArrivingBody(request: IncomingMessage, body: ArrivingBody): void {
  (request as Marked)[ARRIVING] = body;
}

/** The body of a request that has one. @throws Error when `RequestBodies` has not seen the request */
export function arrivingBody(request: IncomingMessage): ArrivingBody {
  const body = (request as Marked)[ARRIVING];
  if (!body) throw new Error('the request has no body, or RequestBodies has not seen it');
  return body;
}

/** Reads a whole body. @param tooLarge the error for a body of more than `limit` bytes @throws as `ArrivingBody.watch` refuses */
export function readBytes(request: IncomingMessage, limit: number, tooLarge: () => Error): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isRefused = false;
    const refuse = (error: Error): void => {
      isRefused = true;
      chunks.length = 0;
      reject(error);
    };
    arrivingBody(request).watch(refuse);
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      size += chunk.length;
      if (size > limit) refuse(tooLarge());
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', () => refuse(requestAborted()));
  });
}
