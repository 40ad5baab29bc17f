import { SilenceLimit, type Clock } from '../../../core/clock/index.js';
import { AppError } from '../../../core/errors/index.js';
import type { Message } from '../messages/messages.types.js';

/** The wait of one client for the replies to a message. */
export interface ClientWait {
  /** Aborts when the client disconnects, after too long a silence, when the server stops, and with `end`. */
  readonly signal: AbortSignal;
  /** Limits the silence from now on. */
  readonly limitSilence: () => void;
  /** Something happened: the silence begins again. */
  readonly renew: () => void;
  /** Why the wait ended before the replies: the abort reason of the client, SERVER_STOPPING or TURN_TIMEOUT. */
  readonly unfinished: (message: Message) => unknown;
  readonly end: () => void;
}

/** The clients that wait for replies. */
export class ClientWaits {
  /** Stop functions of the active waits. */
  private readonly waits = new Set<() => void>();
  private onSettled: (() => void) | undefined;
  private stopped = false;

  /** @param silenceMs how long a wait goes on while nothing happens */
  constructor(
    private readonly clock: Clock,
    private readonly silenceMs: number,
  ) {}

  /** @param isAwaited without it, only the client ends the wait */
  begin(client: AbortSignal | undefined, isAwaited = true): ClientWait {
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    let silence: SilenceLimit | undefined;
    client?.addEventListener('abort', stop, { once: true });
    if (isAwaited) this.waits.add(stop);
    if ((isAwaited && this.stopped) || client?.aborted === true) stop();
    return {
      signal: waiting.signal,
      limitSilence: () => (silence ??= isAwaited ? new SilenceLimit(this.clock, this.silenceMs, stop) : undefined),
      renew: () => silence?.renew(),
      unfinished: (message) => (client?.aborted ? (client.reason as unknown) : this.unfinished(message)),
      end: () => {
        silence?.end();
        client?.removeEventListener('abort', stop);
        this.waits.delete(stop);
        if (this.waits.size === 0) this.onSettled?.();
        stop();
      },
    };
  }

  /** Resolves when no client waits. */
  settled(): Promise<void> {
    return this.waits.size === 0 ? Promise.resolve() : new Promise((resolve) => (this.onSettled = resolve));
  }

  /** Ends present and future waits. @returns whether any client was waiting */
  stop(): boolean {
    this.stopped = true;
    const waited = this.waits.size > 0;
    for (const stop of this.waits) stop();
    return waited;
  }

  private unfinished({ id }: Message): AppError {
    const details = `Message ${id} is stored; its reply will appear among the channel's messages.`;
    return this.stopped
      ? new AppError('SERVER_STOPPING', 'The server stopped before the reply was ready; it is still pending.', details)
      : new AppError('TURN_TIMEOUT', 'The reply was not ready in time; it is still pending.', details);
  }
}
