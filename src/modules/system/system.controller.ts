import { Controller, Get, Res } from '@nestjs/common';
import {
  ApiResponses,
  NoEnvelope,
  FromCaller,
  HybridEnvelope,
  Public,
  Scope,
  type Caller,
  type HttpResponse,
} from '../../core/http/index.js';
import { AliveView, HealthView, HelloView, PingView, ProblemsView, StatusView, VersionView } from './system.dto.js';
import { SystemService } from './system.service.js';

const UNHEALTHY = { status: 503, body: HealthView, about: 'No agent is running.' };

/** Health, status and version of the server. Probes have no credential and no envelope (contract 1.3). */
@Controller()
export class SystemController {
  constructor(private readonly system: SystemService) {}

  /** Liveness probe: the process responds. */
  @Get('healthz')
  @Public()
  @NoEnvelope()
  async alive(): Promise<AliveView> {
    return this.system.alive();
  }

  /**
   * Readiness probe: 503 while no agent is running.
   *
   * @remarks A failing model makes the status `DEGRADED` with 200: the server responds, and another one would not do better.
   */
  @Get('health')
  @ApiResponses(UNHEALTHY)
  @Public()
  @NoEnvelope()
  async health(@FromCaller() caller: Caller, @Res({ passthrough: true }) response: HttpResponse): Promise<HealthView> {
    const health = this.system.health(seesAll(caller));
    response.status(health.agentCount > 0 ? 200 : 503);
    return health;
  }

  /**
   * Readiness probe: 503 while no agent is running.
   *
   * @remarks A failing model makes the status `DEGRADED` with 200: the server responds, and another one would not do better.
   */
  @Get('api/server/health')
  @ApiResponses(UNHEALTHY)
  @Public()
  @HybridEnvelope()
  async serverHealth(@FromCaller() caller: Caller, @Res({ passthrough: true }) response: HttpResponse): Promise<HealthView> {
    const health = this.system.health(seesAll(caller));
    response.status(health.agentCount > 0 ? 200 : 503);
    return health;
  }

  /** Returns the server's time. */
  @Get('api/server/ping')
  @Public()
  @HybridEnvelope()
  async ping(): Promise<PingView> {
    return this.system.ping();
  }

  /** Returns a greeting. */
  @Get('api/server/hello')
  @Public()
  @HybridEnvelope()
  async hello(): Promise<HelloView> {
    return { message: 'Hello World!' };
  }

  /** Returns the status of the server: agents, memory and models, with the last failure of each model and what to do about it. */
  @Get('api/server/status')
  @HybridEnvelope()
  async status(@FromCaller() { scope }: Caller): Promise<StatusView> {
    return this.system.status(scope);
  }

  /** Returns the present problems: plugins, tool servers, models, webhook deliveries, scheduled backups, and the turns that failed within the last hour. */
  @Get('api/server/problems')
  @Scope('admin')
  async problems(): Promise<ProblemsView> {
    return this.system.problems();
  }

  /** Returns the version of the server. */
  @Get('api/system/version')
  @HybridEnvelope()
  async version(): Promise<VersionView> {
    return this.system.version();
  }
}

/** Whether a caller may see what concerns the whole installation: it has a credential that is limited neither to agents nor to a user. */
function seesAll({ scope, agents, user }: Caller): boolean {
  return scope !== undefined && agents === undefined && user === undefined;
}
