import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import type { RetentionSweep } from '../../core/retention/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentLogsRepository } from './agent-logs.repository.js';

const PAGE = 5000;

/** Deletes agent log entries older than AGENT_LOG_RETENTION_HOURS or beyond AGENT_LOG_LIMIT. */
@Injectable()
export class AgentLogRetention implements RetentionSweep {
  readonly removes = 'agent log entries';
  readonly everyMs = 10 * 60_000;

  constructor(
    private readonly repository: AgentLogsRepository,
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async sweep(stopping?: AbortSignal): Promise<void> {
    const tooOld = this.clock.now() - this.config.agentLogRetentionHours * 3_600_000;
    for (const { id } of this.agents.list()) {
      const cutoff = Math.max((await this.repository.cutoff(id, this.config.agentLogLimit)) ?? 0, tooOld);
      let removed: number;
      do {
        if (stopping?.aborted) return;
        const [outcome] = await this.unitOfWork.commit([this.repository.trim(id, cutoff, PAGE)]);
        removed = outcome?.changed ?? 0;
      } while (removed === PAGE);
    }
  }
}
