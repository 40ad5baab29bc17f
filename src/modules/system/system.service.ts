import { memoryUsage, uptime } from 'node:process';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { engineOf } from '../../core/database/index.js';
import { ModelRegistry } from '../../providers/models/index.js';
import { AgentsService } from '../agents/index.js';
import { HealthChecks } from './health-checks.js';

@Injectable()
export class SystemService {
  constructor(
    private readonly agents: AgentsService,
    private readonly models: ModelRegistry,
    private readonly checks: HealthChecks,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  alive(): { status: 'ok'; timestamp: string } {
    return { status: 'ok', timestamp: this.timestamp() };
  }

  ping(): { pong: true; timestamp: number } {
    return { pong: true, timestamp: this.clock.now() };
  }

  /** `OK` while at least one agent runs. */
  health(): { status: 'OK' | 'DEGRADED' } & Record<string, unknown> {
    const { active } = this.agentCounts();
    return {
      status: active > 0 ? 'OK' : 'DEGRADED',
      version: this.config.version,
      timestamp: this.timestamp(),
      uptime: uptime(),
      agentCount: active,
      dependencies: { agents: active > 0 ? 'healthy' : 'no_agents' },
      checks: { database: engineOf(this.config.databaseUrl), models: this.models.describe(), ...this.checks.all() },
    };
  }

  status(): Record<string, unknown> {
    const { total, active } = this.agentCounts();
    const { heapUsed, heapTotal, rss } = memoryUsage();
    return {
      status: 'ok',
      agentCount: active,
      timestamp: this.timestamp(),
      agents: { total, active, inactive: total - active },
      memory: { used: heapUsed, total: heapTotal, rss, percentage: Math.round((heapUsed / heapTotal) * 100) },
      uptime: uptime(),
      version: this.config.version,
      models: this.models.describe(),
    };
  }

  version(): Record<string, unknown> {
    return { version: this.config.version, source: 'server', timestamp: this.timestamp(), environment: 'production', uptime: uptime() };
  }

  private agentCounts(): { total: number; active: number } {
    const agents = this.agents.list();
    return { total: agents.length, active: agents.filter(({ status }) => status === 'active').length };
  }

  private timestamp(): string {
    return new Date(this.clock.now()).toISOString();
  }
}
