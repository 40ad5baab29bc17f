import { Controller, Get, Res } from '@nestjs/common';
import { Bare, Hybrid, Public, type HttpResponse } from '../../core/http/index.js';
import { SystemService } from './system.service.js';

/** Whether the server lives, and what it is. Probes need no credential and no envelope (contract 1.3). */
@Controller()
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Get('healthz')
  @Public()
  @Bare()
  alive(): unknown {
    return this.system.alive();
  }

  @Get('health')
  @Public()
  @Bare()
  health(@Res({ passthrough: true }) response: HttpResponse): unknown {
    const health = this.system.health();
    response.status(health.status === 'OK' ? 200 : 503);
    return health;
  }

  @Get('api/server/health')
  @Public()
  @Hybrid()
  serverHealth(@Res({ passthrough: true }) response: HttpResponse): unknown {
    const health = this.system.health();
    response.status(health.status === 'OK' ? 200 : 503);
    return health;
  }

  @Get('api/server/ping')
  @Public()
  @Hybrid()
  ping(): unknown {
    return this.system.ping();
  }

  @Get('api/server/hello')
  @Public()
  @Hybrid()
  hello(): unknown {
    return { message: 'Hello World!' };
  }

  @Get('api/server/status')
  @Hybrid()
  status(): unknown {
    return this.system.status();
  }

  @Get('api/system/version')
  @Hybrid()
  version(): unknown {
    return this.system.version();
  }
}
