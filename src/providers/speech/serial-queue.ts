import { AppError } from '../../core/errors/index.js';

/** Runs tasks one at a time with a bounded queue, for engines that are not concurrent. */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();
  private pending = 0;
  private closed = false;

  constructor(
    private readonly engine: string,
    private readonly queue: number,
  ) {}

  /** @throws AppError AUDIO_BUSY, SERVER_STOPPING; errors of the task; the signal's reason when it is aborted */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.pending > this.queue) {
      throw new AppError('AUDIO_BUSY', `The engine ${this.engine} is busy.`, 'Retry after the time in Retry-After.').retryAfter(5);
    }
    this.pending += 1;
    const run = this.tail.then(async () => {
      if (this.closed) throw new AppError('SERVER_STOPPING', `The engine ${this.engine} is shutting down.`);
      signal.throwIfAborted();
      return task();
    });
    this.tail = run.catch(() => undefined).finally(() => (this.pending -= 1));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      run.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  /** Waits for the running task; waiting tasks are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    await this.tail;
  }
}
