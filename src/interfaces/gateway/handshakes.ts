import type { Server, Socket } from 'socket.io';
import type { Clock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import {
  callerAddress,
  isCrossSite,
  isAllowedHost,
  isAllowedOrigin,
  networkOf,
  type HttpResponse,
  type RequestBodies,
} from '../../core/http/index.js';

/** Maximum pending connections of one network. After a restart, many clients of a network reconnect at once. */
const MAX_PENDING_PER_NETWORK = 250;
const MAX_PENDING = 2500;
/** Time limit of a handshake, ms. */
export const HANDSHAKE_TIMEOUT_MS = 10_000;

// The error for an unknown namespace repeats its name, so the name must be short.
const MAX_NAMESPACE_LENGTH = 1000;

// With the codes of Engine.IO.
const FORBIDDEN = { code: 4, message: 'Forbidden' };
const UNKNOWN_CONNECTION = {
  code: 1,
  message:
    'Session ID unknown: the connection was closed, or another process has it. Use the transport websocket; long polling through a load balancer needs sticky sessions.',
};

type Connection = Socket['conn'];
type Request = Socket['request'];

/** Admission of connections, with limits on pending ones: their number, their duration, and what they may send. */
export class Handshakes {
  private readonly pending = new Map<string, number>();
  /** Ids of the connections of this process. */
  private readonly open = new Set<string>();
  private readonly onAdmitted = new WeakMap<Connection, () => void>();
  private total = 0;
  private readonly addressOf: (request: Request) => string;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly bodies: RequestBodies,
  ) {
    this.addressOf = callerAddress(config);
  }

  /** The reason to reject a connection; undefined when it may be opened. */
  refusal(request: Request): string | undefined {
    if (!this.isAllowed(request)) return 'Pages of this origin may not call this server.';
    const { total } = this;
    const full = total >= MAX_PENDING || (this.pending.get(this.networkOf(request)) ?? 0) >= MAX_PENDING_PER_NETWORK;
    return full ? 'Too many connections are being opened. Retry in a few seconds.' : undefined;
  }

  watch(server: Server): void {
    // Engine.IO calls allowRequest for new connections only.
    server.engine.use((request: Request, response: HttpResponse, next: (error?: Error) => void) => {
      const sid = new URLSearchParams(request.url?.split('?')[1]).get('sid');
      const upgrading = request.headers.upgrade !== undefined;
      if (sid !== null && !this.isAllowed(request)) {
        if (upgrading) next(new Error('a page of another site'));
        else refuse(response, 403, FORBIDDEN);
      } else if (sid !== null && !upgrading && !this.open.has(sid)) refuse(response, 400, UNKNOWN_CONNECTION);
      else {
        // Engine.IO reads the packets of a client in the same tick.
        if (request.method === 'POST') this.bodies.accept(request, response, this.addressOf(request)).watch(() => request.destroy());
        next();
      }
    });
    server.engine.on('connection', (connection: Pick<Connection, 'once'> & { readonly id: string }) => {
      this.open.add(connection.id);
      connection.once('close', () => this.open.delete(connection.id));
    });
    server.engine.on('connection', (connection: Connection) => this.track(connection));
    server.of('/').on('connection', ({ conn }) => this.onAdmitted.get(conn)?.());
  }

  private isAllowed({ headers }: Request): boolean {
    const { host, origin } = headers;
    // Browsers let any page open a socket or load a URL as an image; only the headers identify the page.
    return isAllowedHost(this.config, host) && isAllowedOrigin(this.config, origin, host) && !isCrossSite(this.config, headers);
  }

  private track(connection: Connection): void {
    const network = this.networkOf(connection.request);
    this.count(network, 1);
    const cancel = this.clock.after(HANDSHAKE_TIMEOUT_MS, () => connection.close(true));
    // The parser buffers data of pending connections, so only the connect packet is accepted.
    const listen = (data: unknown): void => {
      const asks = typeof data === 'string' && data.startsWith('0') && !(data.startsWith('0/') && data.length > MAX_NAMESPACE_LENGTH);
      if (!asks) connection.close(true);
    };
    const stopCounting = this.countBytes(connection);
    const end = (): void => {
      if (!this.onAdmitted.delete(connection)) return;
      cancel();
      connection.off('data', listen);
      stopCounting();
      this.count(network, -1);
    };
    this.onAdmitted.set(connection, end);
    connection.on('data', listen);
    connection.once('close', end);
  }

  /** Counts what a pending connection sends with the bodies of requests: a frame is kept until it is complete. @returns ends the counting */
  private countBytes({ request, transport }: Connection): () => void {
    // Packets of long polling are bodies of requests.
    if (transport.name !== 'websocket') return () => undefined;
    const { socket } = request;
    const reservation = this.bodies.reserve(this.addressOf(request));
    const count = ({ length }: Buffer): void => {
      try {
        reservation.add(length);
      } catch {
        // The client may open another connection later.
        socket.destroy();
      }
    };
    socket.on('data', count);
    return () => {
      socket.off('data', count);
      reservation.release();
    };
  }

  private count(network: string, change: 1 | -1): void {
    this.total += change;
    const count = (this.pending.get(network) ?? 0) + change;
    if (count === 0) this.pending.delete(network);
    else this.pending.set(network, count);
  }

  private networkOf(request: Request): string {
    return networkOf(this.addressOf(request));
  }
}

function refuse(response: HttpResponse, status: number, reason: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reason));
}
