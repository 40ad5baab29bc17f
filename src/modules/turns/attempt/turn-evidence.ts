import { Injectable } from '@nestjs/common';
import type { FaultEvidence } from '../../../core/faults/index.js';
import { LiveTurns } from './live-turns.js';

const MAX_TURNS = 50;

/** The turns that this process runs, with their stages so far. */
@Injectable()
export class TurnEvidence implements FaultEvidence {
  readonly name = 'turns';

  constructor(private readonly live: LiveTurns) {}

  collect(): unknown {
    const running = [...this.live.all()];
    return {
      running: running.length,
      attempts: running.slice(0, MAX_TURNS).map(([replyId, { trace }]) => ({ replyId, ...trace.current })),
    };
  }
}
