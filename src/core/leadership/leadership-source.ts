import { Injectable } from '@nestjs/common';
import type { MetricSource, Reading } from '../telemetry/index.js';
import { Leadership } from './leadership.js';
import { LEADERSHIP_METRICS } from './leadership.metrics.js';

/** Whether this process leads. */
@Injectable()
export class LeadershipSource implements MetricSource {
  readonly source = 'leadership';

  constructor(private readonly leadership: Leadership) {}

  read(): readonly Reading[] {
    return [LEADERSHIP_METRICS.leads.reading(this.leadership.isLeader ? 1 : 0, {})];
  }
}
