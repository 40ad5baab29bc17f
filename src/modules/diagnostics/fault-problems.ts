import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import type { Problem, ProblemSource } from '../../core/health/index.js';
import { FaultRecorder, SHOWN_MS } from './fault-recorder.js';

/** The faults of the last day. */
@Injectable()
export class FaultProblems implements ProblemSource {
  constructor(
    private readonly recorder: FaultRecorder,
    private readonly clock: Clock,
  ) {}

  problems(): Promise<readonly Problem[]> {
    const since = this.clock.now() - SHOWN_MS;
    return Promise.resolve(
      this.recorder
        .faults()
        .filter(({ lastAt }) => lastAt >= since)
        .map(({ kind, title, record, lastAt, count }) => ({
          kind: 'fault' as const,
          subject: kind,
          message: title,
          details: `The record is ${record} in the folder faults of DATA_DIR; "npx parley-server report" packs the records for an issue.`,
          count,
          at: lastAt,
        })),
    );
  }
}
