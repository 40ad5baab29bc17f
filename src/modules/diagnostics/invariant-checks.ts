import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, PeriodicTask } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { Invariant } from '../../core/faults/index.js';
import { Hooks } from '../../core/hooks/index.js';
import { Leadership } from '../../core/leadership/index.js';
import { Log } from '../../core/logging/index.js';
import { DIAGNOSTICS_METRICS } from './diagnostics.metrics.js';
import { FaultRecorder } from './fault-recorder.js';

/** Checks the invariants of all modules every INVARIANT_CHECK_MS, on the leader of a fleet, and records each violation as a fault. */
@Injectable()
export class InvariantChecks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private invariants: readonly Invariant[] = [];
  private readonly task: PeriodicTask;
  private readonly log = new Log('diagnostics');

  constructor(
    private readonly recorder: FaultRecorder,
    private readonly hooks: Hooks,
    private readonly leadership: Leadership,
    clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.task = new PeriodicTask(
      clock,
      config.invariantCheckMs,
      (stopping) => this.check(stopping),
      (error) => this.log.warn('invariants could not be checked; retrying', { error }),
    );
  }

  onApplicationBootstrap(): void {
    this.invariants = this.hooks.of('invariants');
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  private async check(stopping: AbortSignal): Promise<void> {
    if (!this.leadership.isLeader) return;
    for (const invariant of this.invariants) {
      if (stopping.aborted) return;
      const violation = await invariant.violation();
      DIAGNOSTICS_METRICS.invariantChecks.with({ invariant: invariant.name, outcome: violation === undefined ? 'held' : 'violated' }).add();
      if (violation === undefined) continue;
      const title = `The stored data violates ${invariant.name}: ${violation}`;
      this.log.warn(title);
      this.recorder.record({
        kind: 'invariant',
        title,
        signature: `invariant ${invariant.name}`,
        details: { invariant: invariant.name, violation },
      });
    }
  }
}
