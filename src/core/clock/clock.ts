import { Log } from '../logging/index.js';

/** Cancels a scheduled task; does nothing when the task has run or was cancelled. */
export type Cancel = () => void;

/** The only source of time. Instants are epoch milliseconds. Tests replace it with a fake clock. */
export abstract class Clock {
  abstract now(): number;

  /** Milliseconds of a clock that no one sets; only differences have a meaning. */
  steady(): number {
    return performance.now();
  }

  /** Runs `task` once at or after `instant`, also when the wall clock changes meanwhile. Does not keep the process alive. */
  abstract at(instant: number, task: () => void): Cancel;

  /** Runs `task` once after `ms` milliseconds, independent of changes of the wall clock. Does not keep the process alive. */
  after(ms: number, task: () => void): Cancel {
    return this.at(this.now() + ms, task);
  }
}

// A timer checks the wall clock at this interval, so that a changed clock (suspend, NTP step) delays a task by at most a second.
const LONGEST_SLEEP_MS = 1000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override at(instant: number, task: () => void): Cancel {
    let timer: NodeJS.Timeout;
    const sleep = (): void => {
      const left = instant - this.now();
      timer = setTimeout(
        () => {
          if (this.now() >= instant) run(task);
          else sleep();
        },
        Math.min(Math.max(left, 0), LONGEST_SLEEP_MS),
      );
      timer.unref();
    };
    sleep();
    return () => clearTimeout(timer);
  }

  override after(ms: number, task: () => void): Cancel {
    let timer: NodeJS.Timeout;
    const sleep = (left: number): void => {
      const next = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > next ? sleep(left - next) : run(task)), next);
      timer.unref();
    };
    sleep(ms);
    return () => clearTimeout(timer);
  }
}

const log = new Log('clock');

/** Isolates tasks: an exception in one must not end the process or other work. */
function run(task: () => void): void {
  try {
    task();
  } catch (error) {
    log.error('a scheduled task failed', error);
  }
}
