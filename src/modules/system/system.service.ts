import { memoryUsage, uptime } from 'node:process';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { engineOf } from '../../core/database/index.js';
import type { Problem } from '../../core/health/index.js';
import { Hooks } from '../../core/hooks/index.js';
import type { ScopeName } from '../../core/http/index.js';
import { ModelRegistry } from '../../providers/models/index.js';
import { SpeechRegistry } from '../../providers/speech/index.js';
import { AgentsService } from '../agents/index.js';
import type { AliveView, HealthView, ModelServiceView, PingView, ProblemsView, StatusView, VersionView } from './system.dto.js';

@Injectable()
export class SystemService {
  constructor(
    private readonly agents: AgentsService,
    private readonly models: ModelRegistry,
    private readonly speech: SpeechRegistry,
    private readonly hooks: Hooks,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  alive(): AliveView {
    return { status: 'ok', timestamp: this.timestamp() };
  }

  ping(): PingView {
    return { pong: true, timestamp: this.clock.now() };
  }

  /** `OK` while at least one agent is running and the chat models respond. @param whole whether to include the reports of all health checks */
  health(whole: boolean): HealthView {
    const { active } = this.agentCounts();
    const { failing } = this.models;
    return {
      status: active > 0 && !failing ? 'OK' : 'DEGRADED',
      version: this.config.version,
      timestamp: this.timestamp(),
      uptime: uptime(),
      agentCount: active,
      dependencies: { agents: active > 0 ? 'healthy' : 'no_agents', models: failing ? 'failing' : 'healthy' },
      checks: whole ? this.allChecks() : {},
    };
  }

  /** @param scope of the caller; administrators see the data folder */
  status(scope: ScopeName | undefined): StatusView {
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
      models: { ...this.models.describe(), services: this.modelServices() },
      modelHost: this.models.compatibleHost,
      speech: this.speech.describe(),
      protocols: this.config.protocols,
      dataFolder: scope === 'admin' ? this.config.dataDir : null,
      scope: scope ?? null,
    };
  }

  /** The present problems, the latest first. */
  async problems(): Promise<ProblemsView> {
    const found = await Promise.all(this.hooks.of('problemSources').map((source) => source.problems()));
    const problems = [...this.failingModels(), ...found.flat()];
    return { problems: problems.sort((a, b) => (b.at ?? Infinity) - (a.at ?? Infinity) || 0) };
  }

  version(): VersionView {
    return { version: this.config.version, source: 'server', timestamp: this.timestamp(), environment: 'production', uptime: uptime() };
  }

  private modelServices(): ModelServiceView[] {
    const iso = (at: number): string => new Date(at).toISOString();
    return this.models.reports().map(({ lastSuccessAt, lastFailure, notice, ...report }) => ({
      ...report,
      lastSuccessAt: lastSuccessAt === null ? null : iso(lastSuccessAt),
      lastFailure: lastFailure && { ...lastFailure, at: iso(lastFailure.at) },
      notice: notice && { ...notice, at: iso(notice.at) },
    }));
  }

  /** Models that fail, or that need attention. */
  private failingModels(): Problem[] {
    return this.models.reports().flatMap(({ failing, lastFailure, notice, model, provider }) => {
      if (!failing && notice) return [{ kind: 'model' as const, subject: model, ...notice, count: 1 }];
      if (!failing || !lastFailure) return [];
      const { message, details, at } = lastFailure;
      return [
        {
          kind: 'model' as const,
          subject: model,
          message: `Calls of ${model} (${provider}) fail.`,
          details: `${message} ${details}`,
          count: 1,
          at,
        },
      ];
    });
  }

  private allChecks(): Record<string, unknown> {
    return {
      database: engineOf(this.config.databaseUrl),
      models: this.models.describe(),
      speech: this.speech.describe(),
      ...Object.fromEntries(this.hooks.of('healthChecks').map((check) => [check.name, check.report()])),
    };
  }

  private agentCounts(): { total: number; active: number } {
    const agents = this.agents.list();
    return { total: agents.length, active: agents.filter(({ status }) => status === 'active').length };
  }

  private timestamp(): string {
    return new Date(this.clock.now()).toISOString();
  }
}
