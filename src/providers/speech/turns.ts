import { AppError } from '../../core/errors/index.js';

/** One task after another, for an engine that has one of everything; with a bounded queue. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();
  private under = 0;
  private closed = false;

  constructor(
    private readonly engine: string,
    private readonly queue: number,
  ) {}

  /** @throws AppError AUDIO_BUSY, SERVER_STOPPING; what the task throws; the signal's reason when it is aborted */
  async take<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.under > this.queue) {
      throw new AppError('AUDIO_BUSY', `The engine ${this.engine} has more to do than it can.`, 'Wait as Retry-After says.').retryAfter(5);
    }
    this.under += 1;
    const run = this.last.then(async () => {
      if (this.closed) throw new AppError('SERVER_STOPPING', `The engine ${this.engine} is shut down.`);
      signal.throwIfAborted();
      return task();
    });
    this.last = run.catch(() => undefined).finally(() => (this.under -= 1));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      run.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  /** Waits for what is under way; the rest is rejected. */
  async close(): Promise<void> {
    this.closed = true;
    await this.last;
  }
}
