import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock, PeriodicTask } from '../clock/index.js';
import { Hooks } from '../hooks/index.js';
import { Leadership } from '../leadership/index.js';
import { Log } from '../logging/index.js';

/** Deletes data after its retention period; a class of the hook kind `retentionSweeps`. */
export interface RetentionSweep {
  /** The kind of data, plural, for the log: "journal entries". */
  readonly removes: string;
  /** Pause between two sweeps, ms. */
  readonly everyMs: number;
  /**
   * Runs one sweep, in pages, so that other writers do not wait long.
   *
   * @param stopping aborts when the server stops; check it between pages
   */
  sweep(stopping?: AbortSignal): Promise<void>;
}

/**
 * Runs the sweeps of all modules periodically, each for the first time after its pause. Of several processes, the leader runs them. A failed
 * sweep is logged and repeated.
 */
@Injectable()
export class Retention implements OnModuleInit, BeforeApplicationShutdown {
  private readonly tasks = new Map<RetentionSweep, PeriodicTask>();
  /** Sweeps that this process was asked for. */
  private readonly asked = new Set<RetentionSweep>();
  private readonly log = new Log('retention');

  constructor(
    private readonly clock: Clock,
    private readonly hooks: Hooks,
    private readonly leadership: Leadership,
  ) {}

  onModuleInit(): void {
    for (const sweep of this.hooks.of('retentionSweeps')) {
      const task = new PeriodicTask(
        this.clock,
        sweep.everyMs,
        (stopping) => this.run(sweep, stopping),
        (error) => this.log.error(`old ${sweep.removes} could not be deleted; retrying`, error),
      );
      this.tasks.set(sweep, task);
      task.start();
    }
  }

  /** Runs a sweep in this process after `ms`, unless it is due earlier. */
  runSoon(sweep: RetentionSweep, ms: number): void {
    this.asked.add(sweep);
    this.tasks.get(sweep)?.runSoon(ms);
  }

  private async run(sweep: RetentionSweep, stopping: AbortSignal): Promise<void> {
    if (this.asked.delete(sweep) || this.leadership.isLeader) await sweep.sweep(stopping);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.tasks.values()].map((task) => task.stop()));
  }
}

declare module '../hooks/hook-kinds.js' {
  interface HookKinds {
    retentionSweeps: RetentionSweep;
  }
}
