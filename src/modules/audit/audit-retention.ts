import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import type { RetentionSweep } from '../../core/retention/index.js';
import { AuditRepository } from './audit.repository.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PAGE = 1000;

/** Deletes entries past AUDIT_RETENTION_DAYS. */
@Injectable()
export class AuditRetention implements RetentionSweep {
  readonly removes = 'entries of the audit log';
  readonly everyMs = HOUR_MS;

  constructor(
    private readonly repository: AuditRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async sweep(stopping?: AbortSignal): Promise<void> {
    const before = this.clock.now() - this.config.auditRetentionDays * DAY_MS;
    for (let deleted = PAGE; deleted === PAGE && !stopping?.aborted;) {
      const [outcome] = await this.unitOfWork.commit([this.repository.deleteBefore(before, PAGE)]);
      deleted = outcome?.changed ?? 0;
    }
  }
}
