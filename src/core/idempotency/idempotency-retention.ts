import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import type { RetentionSweep } from '../retention/index.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const PAGE = 1000;

/** Deletes idempotency keys and their responses after IDEMPOTENCY_HOURS. */
@Injectable()
export class IdempotencyRetention implements RetentionSweep {
  readonly removes = 'idempotency keys';
  readonly everyMs = 60_000;

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async sweep(stopping?: AbortSignal): Promise<void> {
    const before = this.clock.now() - this.config.idempotencyHours * 3_600_000;
    while (!stopping?.aborted && (await this.repository.deleteOlder(before, PAGE)));
  }
}
