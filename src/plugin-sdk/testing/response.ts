import type { RouteResponse } from '../routes.js';

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', json: 'application/json', text: 'text/plain', txt: 'text/plain' };

/** A response that records its content. As in the server, anything after the first response is dropped. */
export class TestResponse implements RouteResponse {
  statusCode = 200;
  headersSent = false;
  readonly ended: Promise<void>;
  private readonly given = new Map<string, string>();
  private readonly parts: Buffer[] = [];
  private finish: () => void = () => undefined;
  private finished = false;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  status(code: number): this {
    if (!this.headersSent) this.statusCode = code;
    return this;
  }

  set(name: string, value: string | number | readonly string[]): this {
    if (!this.headersSent) this.given.set(name.toLowerCase(), [value].flat().join(', '));
    return this;
  }

  setHeader(name: string, value: string | number | readonly string[]): this {
    return this.set(name, value);
  }

  type(contentType: string): this {
    const full = TYPES[contentType] ?? contentType;
    return this.set('content-type', /^text\/|json$/.test(full) ? `${full}; charset=utf-8` : full);
  }

  json(data: unknown): this {
    if (this.headersSent) return this;
    const text = JSON.stringify(data) ?? 'null';
    if (!this.given.has('content-type')) this.type('json');
    return this.end(text);
  }

  send(data?: unknown): this {
    if (data !== undefined && typeof data !== 'string' && !(data instanceof Uint8Array)) return this.json(data);
    if (!this.headersSent && !this.given.has('content-type')) this.type(data instanceof Uint8Array ? 'application/octet-stream' : 'html');
    return this.headersSent ? this : this.end(data);
  }

  redirect(first: number | string, address?: string): this {
    if (this.headersSent) return this;
    this.status(typeof first === 'number' ? first : 302);
    return this.set('location', typeof first === 'number' ? (address ?? '/') : first).end();
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.finished) return false;
    this.headersSent = true;
    this.parts.push(Buffer.from(chunk));
    return true;
  }

  end(chunk?: string | Uint8Array): this {
    if (this.finished) return this;
    if (chunk !== undefined) this.write(chunk);
    this.headersSent = true;
    this.finished = true;
    this.finish();
    return this;
  }

  async stream(source: AsyncIterable<string | Uint8Array>): Promise<void> {
    for await (const chunk of source) this.write(chunk);
    this.end();
  }

  /** Responds as the server does instead of the handler; what the handler has sent stays. */
  refuse(status: number, error: string): void {
    this.status(status).json({ success: false, error });
  }

  /** Ends the response of a webhook that the server acknowledges. A status of 400 or more is the failure of its handler. */
  acknowledge(): void {
    if (!this.headersSent && this.statusCode < 400) this.status(202);
    this.end();
  }

  headers(): Record<string, string> {
    return Object.fromEntries(this.given);
  }

  body(): unknown {
    const text = Buffer.concat(this.parts).toString();
    return text !== '' && /json/.test(this.given.get('content-type') ?? '') ? (JSON.parse(text) as unknown) : text;
  }
}
