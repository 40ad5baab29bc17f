import { Log } from '../logging/index.js';

/** Stops what was scheduled; calling it again, or after it ran, does nothing. */
export type Cancel = () => void;

/** The only source of time. Instants are epoch milliseconds. Tests put a movable clock in its place. */
export abstract class Clock {
  abstract now(): number;

  /** Runs `task` once at or after `instant`, also when the wall clock is moved in the meantime. Never keeps the process alive. */
  abstract at(instant: number, task: () => void): Cancel;

  /** Runs `task` once after so many ms have passed, however the wall clock is moved in the meantime. Never keeps the process alive. */
  after(ms: number, task: () => void): Cancel {
    return this.at(this.now() + ms, task);
  }
}

// A timer sleeps at most this long before it looks at the wall clock again, so that a moved clock
// (suspend, NTP step) delays an announcement by a second at most.
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

/** What was to be done at a time stands for itself: when it fails, whatever else is going on goes on. */
function run(task: () => void): void {
  try {
    task();
  } catch (error) {
    log.error('what was to be done at this time failed', error);
  }
}
