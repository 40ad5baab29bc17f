import type { Socket } from 'socket.io';
import { withRequestId } from '../../core/context/request-context.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import { MAX_DEPTH, MAX_VALUES, payloadError, toAppError, type Caller } from '../../core/http/index.js';
import { newId } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import { Tracer, type Span } from '../../core/telemetry/index.js';
import { actorOf, type RateLimits } from '../../modules/access/index.js';
import { objectOf, payloadOf, type SocketPayload } from './socket-messages.js';

export type Acknowledgement = Record<string, unknown>;
export type Handler = (payload: SocketPayload) => Promise<Acknowledgement> | Acknowledgement;

/** Maximum pending events of one socket, far more than a legitimate client has. */
const MAX_PENDING = 1000;

/** The events of one socket. Size and shape of a payload are validated before it is read. */
export class SocketEvents {
  private pending = 0;

  constructor(
    private readonly socket: Socket,
    private readonly caller: Caller,
    private readonly address: string,
    private readonly limits: RateLimits,
    private readonly log: Log,
    private readonly tracer: Tracer,
  ) {}

  /** Registers a handler. Its result is sent as the acknowledgement; errors are also sent as `messageError`. */
  on(name: string, handle: Handler): void {
    this.listen(name, async (payload, parts) => {
      await this.count();
      assertValidPayload(name, parts);
      payloadOf(name, parts[0]);
      return handle(payload);
    });
  }

  /**
   * As `on`, for events of a recording: the handler starts synchronously, which preserves their order, and they are not rate-limited.
   *
   * @param binary whether the event may carry binary data; such events are chunks, which have no spans of their own
   */
  onAudio(name: string, handle: Handler, { binary = false } = {}): void {
    this.listen(
      name,
      (payload, parts) => {
        if (!binary) {
          assertValidPayload(name, parts);
          payloadOf(name, parts[0]);
        }
        return handle(payload);
      },
      !binary,
    );
  }

  /** Counts one event for the rate limit. @throws AppError RATE_LIMIT_EXCEEDED */
  async count(): Promise<void> {
    await this.limits.consume('requests', this.caller, this.address);
  }

  private listen(
    name: string,
    handle: (payload: SocketPayload, parts: readonly unknown[]) => Promise<Acknowledgement> | Acknowledgement,
    traced = true,
  ): void {
    const { socket } = this;
    socket.on(name, (...parts: unknown[]) => {
      const acknowledge = typeof parts.at(-1) === 'function' ? (parts.pop() as (response: Acknowledgement) => void) : undefined;
      if (this.pending >= MAX_PENDING) {
        this.sendError(name, tooManyPending(), acknowledge);
        socket.disconnect(true);
        return;
      }
      this.pending += 1;
      const payload = objectOf(parts[0]);
      const handled = async (span?: Span): Promise<void> => {
        try {
          const response = await handle(payload, parts);
          acknowledge?.({ ok: true, ...response });
        } catch (error) {
          const { code, status } = this.sendError(name, error, acknowledge);
          span?.set('error.type', code);
          if (status >= 500) span?.fail(code);
        } finally {
          this.pending -= 1;
        }
      };
      const work = traced ? () => this.inSpan(name, payload, handled) : handled;
      void withRequestId(newId(), work, { actor: () => actorOf(this.caller, this.address) });
    });
  }

  /** A span for an event. It continues the trace in the event, else that of the handshake: browsers set no headers for sockets. */
  private inSpan(name: string, payload: SocketPayload, work: (span: Span) => Promise<void>): Promise<void> {
    const { headers, auth } = this.socket.handshake;
    const { tracer } = this;
    const parent =
      tracer.received(payload) ??
      tracer.received(objectOf(payload['payload'])) ??
      tracer.received(objectOf(auth)) ??
      tracer.received(headers);
    return tracer.span(`socket ${name}`, { 'parley.socket.event': name }, work, { kind: 'server', parent });
  }

  private sendError(name: string, error: unknown, acknowledge?: (response: Acknowledgement) => void): AppError {
    const failure = toAppError(error);
    if (failure.status >= 500) this.log.error(failure.message, failure.cause ?? failure, { event: name, code: failure.code });
    const body = errorBody(failure);
    this.socket.emit('messageError', { ...body, error: failure.message });
    acknowledge?.({ ok: false, error: body });
    return failure;
  }
}

/** @throws AppError VALIDATION_ERROR */
function assertValidPayload(name: string, payload: readonly unknown[]): void {
  const fault = payload.map((part) => payloadError(part)).find((found) => found !== undefined);
  if (fault === 'deep') {
    throw new AppError('VALIDATION_ERROR', 'The payload is nested too deeply.', `Send at most ${MAX_DEPTH} levels of objects and lists.`);
  }
  if (fault === 'many') {
    throw new AppError(
      'VALIDATION_ERROR',
      `The payload has more than ${MAX_VALUES} values in its lists and objects.`,
      'Keys count as values too. Send fewer in each event.',
    );
  }
  if (fault === 'binary') {
    throw new AppError(
      'VALIDATION_ERROR',
      `The event "${name}" must not carry binary data.`,
      'Send only JSON; only audioChunk accepts binary data. Upload files over HTTP.',
    );
  }
}

function tooManyPending(): AppError {
  return new AppError(
    'RATE_LIMIT_EXCEEDED',
    `More than ${MAX_PENDING} events of this connection are pending.`,
    'The connection is closed. Reconnect, and wait for acknowledgements before you send more events.',
  );
}
