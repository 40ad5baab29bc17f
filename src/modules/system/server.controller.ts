import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { Hybrid, Public, Refuses, Scope, type HttpResponse } from '../../core/http/index.js';
import { DebugView, ServerConfigView, ServersView, StoppingView } from './server.dto.js';
import { ServerOverview } from './server-overview.js';
import { StopRequests } from './stop-requests.js';

@Controller()
export class ServerController {
  constructor(
    private readonly overview: ServerOverview,
    private readonly stopping: StopRequests,
  ) {}

  /** Stops the server: running answers end first, within the grace time. */
  @Post('api/server/stop')
  @Scope('admin')
  @HttpCode(200)
  @Hybrid()
  @Refuses('CONFLICT')
  async stop(@Res({ passthrough: true }) response: HttpResponse): Promise<StoppingView> {
    response.once('finish', this.stopping.accept());
    return { success: true, message: 'Server stopping...' };
  }

  /** All message servers, what the server runs on and how it is set up. */
  @Get('api/server/debug/servers')
  @Scope('admin')
  @Hybrid()
  async debug(): Promise<DebugView> {
    return this.overview.debug();
  }

  /** All message servers with their agents. */
  @Get('api/server/servers')
  @Hybrid()
  async servers(): Promise<ServersView> {
    return this.overview.servers();
  }

  /** What a client has to know before it can do anything else. */
  @Get('api/system/config')
  @Public()
  async config(): Promise<ServerConfigView> {
    return this.overview.publicConfig();
  }
}
