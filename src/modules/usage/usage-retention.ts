import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import type { RetentionSweep } from '../../core/retention/index.js';
import type { AgentLifecycleHook } from '../agents/index.js';
import { UsageService } from './usage.service.js';

const HOUR_MS = 3_600_000;
const PAGE = 1000;

/** Deletes expired usage rows, and those of deleted agents. */
@Injectable()
export class UsageRetention implements AgentLifecycleHook, RetentionSweep {
  readonly removes = 'usage rows';
  readonly everyMs = HOUR_MS;

  constructor(
    private readonly usage: UsageService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async sweep(stopping?: AbortSignal): Promise<void> {
    const before = this.clock.now() - this.config.usageRetentionHours * HOUR_MS;
    while (!stopping?.aborted && (await this.deletePage(this.usage.deleteBefore(before, PAGE))));
  }

  async purgeAgent(agentId: string): Promise<void> {
    while (await this.deletePage(this.usage.deleteOf(agentId, PAGE)));
  }

  onAgentDeleted({ id }: { readonly id: string }): Promise<Statement[]> {
    return Promise.resolve([this.usage.deleteOf(id, Number.MAX_SAFE_INTEGER)]);
  }

  private async deletePage(statement: Statement): Promise<boolean> {
    const [outcome] = await this.unitOfWork.commit([statement]);
    return outcome?.changed === PAGE;
  }
}
