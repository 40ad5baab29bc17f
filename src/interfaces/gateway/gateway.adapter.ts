import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions } from 'socket.io';
import type { Clock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import type { RequestBodies } from '../../core/http/index.js';
import { HANDSHAKE_TIMEOUT_MS, Handshakes } from './handshakes.js';

/** Path at which sockets are opened. */
export const SOCKET_PATH = '/socket.io/';

const LARGEST_FRAME_BYTES = 1_000_000;

/** Configures socket.io. Missed events come from the journal, so socket.io's own recovery is disabled. */
export class GatewayAdapter extends IoAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly bodies: RequestBodies,
  ) {
    super(app);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const { corsOrigins } = this.config;
    const handshakes = new Handshakes(this.config, this.clock, this.bodies);
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
      // `Handshakes` enforces a shorter timeout.
      connectTimeout: 2 * HANDSHAKE_TIMEOUT_MS,
      pingInterval: 25_000,
      pingTimeout: 20_000,
      ...(corsOrigins.length === 0 ? {} : { cors: { origin: corsOrigins.includes('*') ? true : corsOrigins } }),
    } as ServerOptions);
    handshakes.watch(server);
    return server;
  }
}
