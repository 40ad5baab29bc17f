import { Controller, Get, Res } from '@nestjs/common';
import { Answers, Bare, FromCaller, Hybrid, Public, type Caller, type HttpResponse } from '../../core/http/index.js';
import { AliveView, HealthView, HelloView, PingView, StatusView, VersionView } from './system.dto.js';
import { SystemService } from './system.service.js';

const UNHEALTHY = { status: 503, body: HealthView, about: 'No agent runs.' };

/** Whether the server lives, and what it is. Probes need no credential and no envelope (contract 1.3). */
@Controller()
export class SystemController {
  constructor(private readonly system: SystemService) {}

  /** That the process answers. */
  @Get('healthz')
  @Public()
  @Bare()
  async alive(): Promise<AliveView> {
    return this.system.alive();
  }

  /** Whether the server can do its work; 503 while no agent runs. */
  @Get('health')
  @Answers(UNHEALTHY)
  @Public()
  @Bare()
  async health(@FromCaller() { scope }: Caller, @Res({ passthrough: true }) response: HttpResponse): Promise<HealthView> {
    const health = this.system.health(scope !== undefined);
    response.status(health.status === 'OK' ? 200 : 503);
    return health;
  }

  /** Whether the server can do its work; 503 while no agent runs. */
  @Get('api/server/health')
  @Answers(UNHEALTHY)
  @Public()
  @Hybrid()
  async serverHealth(@FromCaller() { scope }: Caller, @Res({ passthrough: true }) response: HttpResponse): Promise<HealthView> {
    const health = this.system.health(scope !== undefined);
    response.status(health.status === 'OK' ? 200 : 503);
    return health;
  }

  /** That the server answers, and when. */
  @Get('api/server/ping')
  @Public()
  @Hybrid()
  async ping(): Promise<PingView> {
    return this.system.ping();
  }

  /** A greeting. */
  @Get('api/server/hello')
  @Public()
  @Hybrid()
  async hello(): Promise<HelloView> {
    return { message: 'Hello World!' };
  }

  /** What the server is doing and with what. */
  @Get('api/server/status')
  @Hybrid()
  async status(): Promise<StatusView> {
    return this.system.status();
  }

  /** The version of the server. */
  @Get('api/system/version')
  @Hybrid()
  async version(): Promise<VersionView> {
    return this.system.version();
  }
}
