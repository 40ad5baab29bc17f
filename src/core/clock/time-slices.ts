import { AsyncResource } from 'node:async_hooks';
import { Log } from '../logging/index.js';

/** How long tasks may hold one iteration of the event loop, ms. */
const SLICE_MS = 10;

const log = new Log('clock');

/**
 * Runs tasks in their order, a few milliseconds of them in each iteration of the event loop, so that other work gets its turn when hundreds
 * come at once. What follows a task without a pause, such as the continuations of a promise that it resolves, counts as part of it. A task
 * keeps the asynchronous context of its caller.
 */
export class TimeSlices {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;
  /** When the first task of this iteration began; undefined before it. */
  private begunAt: number | undefined;

  /** @param now milliseconds; only differences have a meaning */
  constructor(private readonly now = (): number => performance.now()) {}

  add(task: () => void): void {
    this.waiting.push(AsyncResource.bind(task));
    if (!this.isScheduled) this.schedule();
  }

  /** Resolves when all of them have run. */
  addAll(tasks: readonly (() => void)[]): Promise<void> {
    for (const task of tasks) this.add(task);
    return new Promise((resolve) => this.add(resolve));
  }

  /** Goes on as soon as no microtask waits. */
  private schedule(): void {
    this.isScheduled = true;
    queueMicrotask(() => process.nextTick(this.step));
  }

  private readonly step = (): void => {
    this.isScheduled = false;
    // The next iteration goes on.
    if (this.begunAt !== undefined && this.now() - this.begunAt >= SLICE_MS) return;
    const task = this.waiting.shift();
    if (task === undefined) return;
    this.begin();
    try {
      task();
    } catch (error) {
      log.error('a task failed', error);
    }
    this.schedule();
  };

  private begin(): void {
    if (this.begunAt !== undefined) return;
    this.begunAt = this.now();
    setImmediate(() => {
      this.begunAt = undefined;
      if (!this.isScheduled) this.schedule();
    });
  }
}

/** The tasks of this process, which share the time. */
export const timeSlices = new TimeSlices();
