import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** An answer, with the port that the client used: the same port is the same connection. */
export interface KeptResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly port: number;
}

interface Sent {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A client that keeps its one connection, as browsers and reverse proxies do. */
export class KeptConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly url: () => string) {}

  async send(method: string, path: string, sent: Sent = {}): Promise<KeptResponse> {
    const response = await this.begin(method, path, sent);
    const { localPort } = response.socket;
    const parts = (await response.toArray()) as Buffer[];
    return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts), port: localPort! };
  }

  /** Sends a request and disconnects: with the head of the answer, or as soon as half of the request is on its way. */
  async abort(method: string, path: string, sent: Sent, when: 'answered' | 'sending'): Promise<void> {
    if (when === 'answered') {
      const { socket } = await this.begin(method, path, sent);
      socket.destroy();
      return;
    }
    const { bytes, headers } = await encoded(sent);
    const outgoing = request(this.url() + path, { method, headers: { ...headers, 'content-length': String(bytes.length) } });
    const closed = new Promise<void>((resolve) => outgoing.once('error', () => resolve()));
    outgoing.once('response', () => undefined);
    outgoing.flushHeaders();
    await new Promise<void>((resolve) => outgoing.write(bytes.subarray(0, bytes.length / 2), () => resolve()));
    outgoing.destroy(new Error('gone'));
    await closed;
  }

  close(): void {
    this.agent.destroy();
  }

  private async begin(method: string, path: string, sent: Sent): Promise<IncomingMessage> {
    const { bytes, headers } = await encoded(sent);
    const outgoing = request(this.url() + path, { method, agent: this.agent, headers });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    outgoing.end(bytes);
    return (await answered)[0];
  }
}

/** Bodies are bytes, forms, or JSON. */
async function encoded({ body, headers = {} }: Sent): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  if (body === undefined) return { bytes: Buffer.alloc(0), headers };
  if (body instanceof Uint8Array) return { bytes: Buffer.from(body), headers };
  const whole = new Response(body instanceof FormData ? body : JSON.stringify(body));
  const type = body instanceof FormData ? whole.headers.get('content-type')! : 'application/json';
  return { bytes: Buffer.from(await whole.arrayBuffer()), headers: { 'content-type': type, ...headers } };
}
