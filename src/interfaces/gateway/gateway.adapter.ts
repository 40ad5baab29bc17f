import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions } from 'socket.io';
import { Decoder, Encoder, type Packet } from 'socket.io-parser';
import type { Clock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import type { RequestBodies } from '../../core/http/index.js';
import { jsonLine } from '../../core/text/index.js';
import { HANDSHAKE_TIMEOUT_MS, Handshakes } from './handshakes.js';

/** Path at which sockets are opened. */
export const SOCKET_PATH = '/socket.io/';

const LARGEST_FRAME_BYTES = 1_000_000;

/** Writes packets without the characters that end a line, as event streams do. */
class OneLineEncoder extends Encoder {
  override encode(packet: Packet): unknown[] {
    return super.encode(packet).map((part: unknown) => (typeof part === 'string' ? jsonLine(part) : part));
  }
}

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
      parser: { Encoder: OneLineEncoder, Decoder },
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
