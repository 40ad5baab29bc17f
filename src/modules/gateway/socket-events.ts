import type { Socket } from 'socket.io';
import { withRequestId } from '../../core/context/request-context.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import { DEEPEST, payloadFault, toAppError, type Caller } from '../../core/http/index.js';
import { newId } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import type { RateLimits } from '../access/index.js';
import { objectOf, type SocketPayload } from './socket-messages.js';

export type Answer = Record<string, unknown>;
export type Handler = (payload: SocketPayload) => Promise<Answer> | Answer;

/** Events of one socket that may be under way; no client of good will has so many, and each one costs before it is refused. */
const MOST_UNDER_WAY = 1000;

/** The events of one socket. What an event carries is judged by its size and shape before anything looks into it. */
export class SocketEvents {
  private underWay = 0;

  constructor(
    private readonly socket: Socket,
    private readonly caller: Caller,
    private readonly address: string,
    private readonly limits: RateLimits,
    private readonly log: Log,
  ) {}

  /** Registers a handler whose outcome the client hears in every case: as its acknowledgement, and refusals as `messageError`. */
  on(name: string, handle: Handler): void {
    this.listen(name, async (payload, parts) => {
      await this.count();
      refuseFaults(name, parts);
      return handle(payload);
    });
  }

  /**
   * As `on`, for the events of a recording: the handler begins at once, so that they keep their order, and they are not counted.
   *
   * @param binary whether the event may carry binary data
   */
  onAudio(name: string, handle: Handler, { binary = false } = {}): void {
    this.listen(name, (payload, parts) => {
      if (!binary) refuseFaults(name, parts);
      return handle(payload);
    });
  }

  /** Counts one event. @throws AppError RATE_LIMIT_EXCEEDED */
  async count(): Promise<void> {
    await this.limits.take('requests', this.caller, this.address);
  }

  private listen(name: string, handle: (payload: SocketPayload, parts: readonly unknown[]) => Promise<Answer> | Answer): void {
    const { socket } = this;
    socket.on(name, (...parts: unknown[]) => {
      const acknowledge = typeof parts.at(-1) === 'function' ? (parts.pop() as (answer: Answer) => void) : undefined;
      if (this.underWay >= MOST_UNDER_WAY) {
        this.refuse(name, tooManyUnderWay(), acknowledge);
        socket.disconnect(true);
        return;
      }
      this.underWay += 1;
      void withRequestId(newId(), async () => {
        try {
          const answer = await handle(objectOf(parts[0]), parts);
          acknowledge?.({ ok: true, ...answer });
        } catch (error) {
          this.refuse(name, error, acknowledge);
        } finally {
          this.underWay -= 1;
        }
      });
    });
  }

  private refuse(name: string, error: unknown, acknowledge?: (answer: Answer) => void): void {
    const failure = toAppError(error);
    if (failure.status >= 500) this.log.error(failure.message, failure.cause ?? failure, { event: name, code: failure.code });
    const body = errorBody(failure);
    this.socket.emit('messageError', { ...body, error: failure.message });
    acknowledge?.({ ok: false, error: body });
  }
}

/** @throws AppError VALIDATION_ERROR */
function refuseFaults(name: string, payload: readonly unknown[]): void {
  const fault = payload.map((part) => payloadFault(part)).find((found) => found !== undefined);
  if (fault === 'deep') {
    throw new AppError('VALIDATION_ERROR', 'The payload is nested too deeply.', `Send at most ${DEEPEST} levels of objects and lists.`);
  }
  if (fault === 'binary') {
    throw new AppError(
      'VALIDATION_ERROR',
      `The event "${name}" must not carry binary data.`,
      'Send JSON alone; only audioChunk takes binary data. Upload files over HTTP.',
    );
  }
}

function tooManyUnderWay(): AppError {
  return new AppError(
    'RATE_LIMIT_EXCEEDED',
    `More than ${MOST_UNDER_WAY} events of this connection are under way.`,
    'The connection is closed. Connect again, and wait for acknowledgements before you send more.',
  );
}
