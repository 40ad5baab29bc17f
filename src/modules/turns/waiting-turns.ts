import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { Problem, ProblemSource } from '../../core/health/index.js';
import type { MetricSource, Reading } from '../../core/telemetry/index.js';
import { TurnRunner } from './attempt/turn-runner.js';
import { TURN_METRICS } from './turns.metrics.js';

/** A turn that has waited for less is no problem, ms. */
const SHOWN_AFTER_MS = 30_000;

/** Tells of turns that wait because this process runs as many as it may. */
@Injectable()
export class WaitingTurns implements MetricSource, ProblemSource {
  readonly source = 'turns';

  constructor(
    private readonly runner: TurnRunner,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  read(): readonly Reading[] {
    const { groups, oldestMs } = this.runner.waiting;
    return [TURN_METRICS.waiting.reading(groups, {}), TURN_METRICS.oldestWaiting.reading(oldestMs, {})];
  }

  problems(): Promise<readonly Problem[]> {
    const { groups, oldestMs } = this.runner.waiting;
    if (oldestMs < SHOWN_AFTER_MS) return Promise.resolve([]);
    const { turnConcurrency, setVariables } = this.config;
    const remedy = setVariables.has('TURN_CONCURRENCY') ? 'Raise TURN_CONCURRENCY' : 'Give it more memory, set TURN_CONCURRENCY';
    return Promise.resolve([
      {
        ...{ kind: 'turns' as const, subject: 'TURN_CONCURRENCY', count: groups, at: null },
        message: `Conversations wait for a free turn of this process: ${groups}, the oldest for ${Math.round(oldestMs / 1000)} s.`,
        details: `It runs no more turns at a time than ${turnConcurrency}. ${remedy}, or add a server.`,
      },
    ]);
  }
}
