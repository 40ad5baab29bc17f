import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions } from 'socket.io';
import type { Config } from '../../core/config/index.js';

const LARGEST_FRAME_BYTES = 1_000_000;

/** socket.io as Parley sets it up. What a client missed comes out of the journal, so socket.io's own recovery is off. */
export class GatewayAdapter extends IoAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly config: Config,
  ) {
    super(app);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const { corsOrigins } = this.config;
    return super.createIOServer(port, {
      ...options,
      path: '/socket.io/',
      serveClient: false,
      perMessageDeflate: false,
      maxHttpBufferSize: LARGEST_FRAME_BYTES,
      connectTimeout: 10_000,
      pingInterval: 25_000,
      pingTimeout: 20_000,
      ...(corsOrigins.length === 0 ? {} : { cors: { origin: corsOrigins.includes('*') ? true : corsOrigins } }),
    } as ServerOptions);
  }
}
