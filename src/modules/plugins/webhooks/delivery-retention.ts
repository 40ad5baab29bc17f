import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import type { RetentionSweep } from '../../../core/retention/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';

const HOUR_MS = 3_600_000;
const CONTENT_KEPT_MS = 24 * HOUR_MS;
const DONE_KEPT_MS = 7 * 24 * HOUR_MS;
const DEAD_KEPT_MS = 30 * 24 * HOUR_MS;

/** Deletes the contents of handled deliveries after a day, handled deliveries after a week, and dead ones after 30 days. */
@Injectable()
export class DeliveryRetention implements RetentionSweep {
  readonly removes = 'deliveries';
  readonly everyMs = 10 * 60_000;

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  async sweep(stopping?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const limits = { contentBefore: now - CONTENT_KEPT_MS, doneBefore: now - DONE_KEPT_MS, deadBefore: now - DEAD_KEPT_MS };
    while (!stopping?.aborted && (await this.repository.sweep(limits)));
  }
}
