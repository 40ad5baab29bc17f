import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { HybridEnvelope, Public, ApiErrors, Scope, type HttpResponse } from '../../core/http/index.js';
import { DebugView, ServerConfigView, ServersView, StoppingView } from './server.dto.js';
import { ServerOverview } from './server-overview.js';
import { StopRequests } from './stop-requests.js';

@Controller()
export class ServerController {
  constructor(
    private readonly overview: ServerOverview,
    private readonly stopping: StopRequests,
  ) {}

  /** Stops the server. Running turns may finish within the grace time. */
  @Post('api/server/stop')
  @Scope('admin')
  @HttpCode(200)
  @HybridEnvelope()
  @ApiErrors('CONFLICT')
  async stop(@Res({ passthrough: true }) response: HttpResponse): Promise<StoppingView> {
    response.once('finish', await this.stopping.accept());
    return { success: true, message: 'Server stopping...' };
  }

  /** Returns all message servers, the runtime and the configuration. */
  @Get('api/server/debug/servers')
  @Scope('admin')
  @HybridEnvelope()
  async debug(): Promise<DebugView> {
    return this.overview.debug();
  }

  /** Lists all message servers with their agents. */
  @Get('api/server/servers')
  @HybridEnvelope()
  async servers(): Promise<ServersView> {
    return this.overview.servers();
  }

  /** Returns the configuration that a client needs before its first request. */
  @Get('api/system/config')
  @Public()
  async config(): Promise<ServerConfigView> {
    return this.overview.publicConfig();
  }
}
