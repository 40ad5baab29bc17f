import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions } from 'socket.io';
import type { Clock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import { CONNECT_MS, Handshakes } from './handshakes.js';

/** Where sockets are opened. */
export const SOCKET_PATH = '/socket.io/';

const LARGEST_FRAME_BYTES = 1_000_000;

/** socket.io as Parley sets it up. What a client missed comes out of the journal, so socket.io's own recovery is off. */
export class GatewayAdapter extends IoAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super(app);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const { corsOrigins } = this.config;
    const handshakes = new Handshakes(this.config, this.clock);
    const server = super.createIOServer(port, {
      ...options,
      path: SOCKET_PATH,
      serveClient: false,
      perMessageDeflate: false,
      maxHttpBufferSize: LARGEST_FRAME_BYTES,
      allowRequest: (request, decide) => {
        const refusal = handshakes.refusal(request);
        decide(refusal ?? null, refusal === undefined);
      },
      // The handshakes look after that themselves, and let nothing linger.
      connectTimeout: 2 * CONNECT_MS,
      pingInterval: 25_000,
      pingTimeout: 20_000,
      ...(corsOrigins.length === 0 ? {} : { cors: { origin: corsOrigins.includes('*') ? true : corsOrigins } }),
    } as ServerOptions);
    handshakes.watch(server);
    return server;
  }
}
