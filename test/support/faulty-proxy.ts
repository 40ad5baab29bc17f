import { Transform } from 'node:stream';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a server on loopback that can be cut in the middle of a frame, as a network does it. */
export class FaultyProxy {
  /** What each piece takes on its way, ms. */
  delayMs = 0;
  private readonly pairs = new Set<readonly Socket[]>();

  private constructor(
    private readonly server: Server,
    /** Port of the server behind, which may change when that restarts; or a function that returns it for each connection. */
    public target: number | (() => number),
  ) {}

  static async to(target: number | (() => number)): Promise<FaultyProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new FaultyProxy(server, target);
    server.on('connection', (near) => proxy.join(near));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Breaks every connection; what was under way is lost. */
  cut(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket): void {
    const far = connect(typeof this.target === 'number' ? this.target : this.target(), '127.0.0.1');
    const pair = [near, far] as const;
    this.pairs.add(pair);
    near.pipe(this.delay()).pipe(far);
    far.pipe(this.delay()).pipe(near);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
  }

  private delay(): Transform {
    return new Transform({
      transform: (piece, _encoding, done) => {
        if (this.delayMs === 0) done(null, piece);
        else setTimeout(() => done(null, piece), this.delayMs);
      },
    });
  }
}
