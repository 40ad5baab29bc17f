import type { RouteResponse } from '../../../plugin-sdk/index.js';

type HeaderValue = string | number | readonly string[];

/** A response that is buffered instead of sent, so that its outcome can be stored first. Only the first response counts. */
export class BufferedResponse implements RouteResponse {
  statusCode = 200;
  /** Resolves when the response is complete. */
  readonly ended: Promise<void>;
  private readonly headers = new Map<string, HeaderValue>();
  private readonly chunks: Buffer[] = [];
  private settle: () => void = () => undefined;
  private closed = false;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  get headersSent(): boolean {
    return this.closed || this.chunks.length > 0;
  }

  status(code: number): this {
    if (!this.headersSent) this.statusCode = code;
    return this;
  }

  set(name: string, value: HeaderValue): this {
    return this.setHeader(name, value);
  }

  header(name: string, value: HeaderValue): this {
    return this.setHeader(name, value);
  }

  setHeader(name: string, value: HeaderValue): this {
    if (!this.headersSent) this.headers.set(name.toLowerCase(), value);
    return this;
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.headers.get(name.toLowerCase());
  }

  type(contentType: string): this {
    return this.setHeader('content-type', contentType);
  }

  json(data: unknown): this {
    return this.defaultType('application/json; charset=utf-8').end(JSON.stringify(data) ?? 'null');
  }

  send(data?: unknown): this {
    if (data instanceof Uint8Array) return this.defaultType('application/octet-stream').end(data);
    if (data === undefined || typeof data === 'string') return this.defaultType('text/html; charset=utf-8').end(data);
    return this.json(data);
  }

  redirect(first: number | string, address?: string): this {
    const [status, location] = typeof first === 'number' ? [first, address ?? '/'] : [302, first];
    return this.status(status).setHeader('location', location).end();
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.closed) return false;
    this.chunks.push(Buffer.from(chunk));
    return true;
  }

  end(chunk?: string | Uint8Array): this {
    if (chunk !== undefined) this.write(chunk);
    this.closed = true;
    this.settle();
    return this;
  }

  async stream(source: AsyncIterable<string | Uint8Array>): Promise<void> {
    for await (const chunk of source) this.write(chunk);
    this.end();
  }

  /** Sends the buffered response. */
  sendTo(response: RouteResponse): void {
    response.status(this.statusCode);
    for (const [name, value] of this.headers) response.setHeader(name, value);
    response.end(Buffer.concat(this.chunks));
  }

  private defaultType(contentType: string): this {
    return this.headers.has('content-type') ? this : this.type(contentType);
  }
}
