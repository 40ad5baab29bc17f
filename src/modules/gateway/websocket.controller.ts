import { Controller, Get } from '@nestjs/common';
import { ForLimited, Hybrid } from '../../core/http/index.js';
import { SOCKET_PATH } from './gateway.adapter.js';
import { WebsocketView } from './gateway.dto.js';

@Controller('websocket')
export class WebsocketController {
  /** How to open a socket: real-time communication is over socket.io. */
  @Get()
  @Hybrid()
  @ForLimited()
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
