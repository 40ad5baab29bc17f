import { Clock, type Cancel } from '../../src/core/clock/index.js';

interface Task {
  readonly instant: number;
  readonly run: () => void;
}

/** A clock that stands still until a test moves it. Tasks that became due run in the order of their instants. */
export class FakeClock extends Clock {
  private tasks: Task[] = [];
  private elapsed = 0;

  constructor(private time = Date.UTC(2026, 0, 1)) {
    super();
  }

  override now(): number {
    return this.time;
  }

  /** Follows the clock forwards only. */
  override steady(): number {
    return this.elapsed;
  }

  override at(instant: number, run: () => void): Cancel {
    const task = { instant, run };
    this.tasks.push(task);
    return () => {
      this.tasks = this.tasks.filter((other) => other !== task);
    };
  }

  /** How many tasks wait for their instant. */
  get scheduled(): number {
    return this.tasks.length;
  }

  /** Moves the clock by `ms`, backwards when it is negative. */
  advance(ms: number): void {
    this.set(this.time + ms);
  }

  /** Moves the clock to an instant; each task runs at its own instant on the way there. */
  set(instant: number): void {
    for (;;) {
      const due = this.tasks.filter((task) => task.instant <= instant).sort((a, b) => a.instant - b.instant)[0];
      if (!due) break;
      this.tasks = this.tasks.filter((task) => task !== due);
      this.moveTo(Math.max(this.time, due.instant));
      due.run();
    }
    this.moveTo(instant);
  }

  private moveTo(instant: number): void {
    this.elapsed += Math.max(instant - this.time, 0);
    this.time = instant;
  }
}
