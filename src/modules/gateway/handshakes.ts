import type { Server, Socket } from 'socket.io';
import type { Clock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import { callerAddress, isFromElsewhere, isOwnHost, isOwnOrigin, type HttpResponse } from '../../core/http/index.js';
import { networkOf } from '../access/index.js';

/** Connections of one network that are open and not let in yet. Many clients of one network come back at once after a restart. */
const MOST_OF_NETWORK = 250;
const MOST = 2500;
/** Time in which a connection has to be let in. */
export const CONNECT_MS = 10_000;

// There is one namespace; who asks for another is told so, but not in the words of a megabyte.
const LONGEST_NAMESPACE = 1000;

type Connection = Socket['conn'];
type Request = Socket['request'];

/** Admission of connections, and the limits until one is admitted: how many, for how long, and what they may send. */
export class Handshakes {
  private readonly waiting = new Map<string, number>();
  private readonly ends = new WeakMap<Connection, () => void>();
  private total = 0;
  private readonly addressOf: (request: Request) => string;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.addressOf = callerAddress(config);
  }

  /** Why no connection is opened; undefined when one may be. */
  refusal(request: Request): string | undefined {
    if (!this.isOwn(request)) return 'Pages of this origin may not call this server.';
    const { total } = this;
    const full = total >= MOST || (this.waiting.get(this.networkOf(request)) ?? 0) >= MOST_OF_NETWORK;
    return full ? 'Too many connections are being opened. Try again in some seconds.' : undefined;
  }

  watch(server: Server): void {
    // Engine.IO asks about new connections only.
    server.engine.use((request: Request, response: HttpResponse, next: (error?: Error) => void) => {
      const known = new URLSearchParams(request.url?.split('?')[1]).has('sid');
      if (!known || this.isOwn(request)) next();
      else if (request.headers.upgrade === undefined) {
        response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"code":4,"message":"Forbidden"}');
      } else next(new Error('a page of another site'));
    });
    server.engine.on('connection', (connection: Connection) => this.hold(connection));
    server.of('/').on('connection', ({ conn }) => this.ends.get(conn)?.());
  }

  private isOwn({ headers }: Request): boolean {
    const { host, origin } = headers;
    // Browsers let every page open a socket, and load what it names as a picture: whose page it is only the headers say.
    return isOwnHost(this.config, host) && isOwnOrigin(this.config, origin, host) && !isFromElsewhere(this.config, headers);
  }

  private hold(connection: Connection): void {
    const network = this.networkOf(connection.request);
    this.count(network, 1);
    const cancel = this.clock.after(CONNECT_MS, () => connection.close(true));
    // What comes before the connection is let in is kept by the parser: nothing but the word that asks for it.
    const listen = (data: unknown): void => {
      const asks = typeof data === 'string' && data.startsWith('0') && !(data.startsWith('0/') && data.length > LONGEST_NAMESPACE);
      if (!asks) connection.close(true);
    };
    const end = (): void => {
      if (!this.ends.delete(connection)) return;
      cancel();
      connection.off('data', listen);
      this.count(network, -1);
    };
    this.ends.set(connection, end);
    connection.on('data', listen);
    connection.once('close', end);
  }

  private count(network: string, change: 1 | -1): void {
    this.total += change;
    const count = (this.waiting.get(network) ?? 0) + change;
    if (count === 0) this.waiting.delete(network);
    else this.waiting.set(network, count);
  }

  private networkOf(request: Request): string {
    return networkOf(this.addressOf(request));
  }
}
