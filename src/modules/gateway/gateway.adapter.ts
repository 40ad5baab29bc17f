import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions } from 'socket.io';
import type { Config } from '../../core/config/index.js';
import { isOwnHost, isOwnOrigin } from '../../core/http/index.js';

/** Where sockets are opened. */
export const SOCKET_PATH = '/socket.io/';

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
      path: SOCKET_PATH,
      serveClient: false,
      perMessageDeflate: false,
      maxHttpBufferSize: LARGEST_FRAME_BYTES,
      allowRequest: ({ headers }, decide) => {
        // Browsers let every page open a socket: whose page it is only the header says.
        decide(null, isOwnHost(this.config, headers.host) && isOwnOrigin(this.config, headers.origin, headers.host));
      },
      connectTimeout: 10_000,
      pingInterval: 25_000,
      pingTimeout: 20_000,
      ...(corsOrigins.length === 0 ? {} : { cors: { origin: corsOrigins.includes('*') ? true : corsOrigins } }),
    } as ServerOptions);
  }
}
