import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const PROBE_MS = 50;

interface Backend {
  readonly port: number;
  ready: boolean;
}

/** A load balancer: sends each request to the next process that says at /readyz that it is ready. It repeats no request. */
export class Balancer {
  private readonly backends = new Map<number, Backend>();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly probing: NodeJS.Timeout;
  private turn = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (near: IncomingMessage, response: ServerResponse) => this.forward(near, response));
    this.probing = setInterval(() => void this.probeAll(), PROBE_MS);
  }

  static async start(): Promise<Balancer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Balancer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  add(url: string): void {
    const port = Number(new URL(url).port);
    this.backends.set(port, { port, ready: false });
  }

  remove(url: string): void {
    this.backends.delete(Number(new URL(url).port));
  }

  isReady(url: string): boolean {
    return this.backends.get(Number(new URL(url).port))?.ready === true;
  }

  async close(): Promise<void> {
    clearInterval(this.probing);
    this.agent.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async probeAll(): Promise<void> {
    await Promise.all(
      [...this.backends.values()].map(async (backend) => {
        const answer = await fetch(`http://127.0.0.1:${backend.port}/readyz`).catch(() => undefined);
        await answer?.text().catch(() => undefined);
        backend.ready = answer?.status === 200;
      }),
    );
  }

  private forward(near: IncomingMessage, response: ServerResponse): void {
    const ready = [...this.backends.values()].filter((backend) => backend.ready);
    const backend = ready[this.turn++ % ready.length];
    const fail = (): void => void (response.headersSent ? response.destroy() : response.writeHead(502).end());
    if (!backend) return fail();
    const { method, url: path, headers } = near;
    const far = request({ agent: this.agent, host: '127.0.0.1', port: backend.port, method, path, headers }, (answer) => {
      // The connection to the process is not the client's.
      const { connection: _, 'keep-alive': __, ...passed } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, passed);
      answer.pipe(response);
    });
    far.on('error', fail);
    near.pipe(far);
  }
}
