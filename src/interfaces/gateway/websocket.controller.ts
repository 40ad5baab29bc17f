import { Controller, Get } from '@nestjs/common';
import { AllowRestricted, HybridEnvelope } from '../../core/http/index.js';
import { SOCKET_PATH } from './gateway.adapter.js';
import { WebsocketView } from './gateway.dto.js';

@Controller('websocket')
export class WebsocketController {
  /** Describes how to open a socket.io connection for real-time communication. */
  @Get()
  @HybridEnvelope()
  @AllowRestricted()
  async describe(): Promise<WebsocketView> {
    return {
      protocol: 'socket.io',
      version: 4,
      path: SOCKET_PATH,
      transports: ['websocket', 'polling'],
      auth: ['apiKey', 'token', 'entityId'],
      documentation: 'docs/reference/events.md',
    };
  }
}
