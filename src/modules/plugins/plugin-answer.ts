import { once } from 'node:events';
import type { HttpResponse } from '../../core/http/index.js';
import type { Log } from '../../core/logging/index.js';
import type { RouteResponse } from '../../plugin-sdk/index.js';

/** The flat form of a failure that plugin routes answer with (specification, "Errors" 3). */
export function flatError(error: string): { success: false; error: string } {
  return { success: false, error };
}

/**
 * The response that a handler gets. It answers once: what comes after that, or after the route's time is up, is dropped
 * and logged, so that no handler can break another one's connection.
 */
export class PluginAnswer implements RouteResponse {
  private closed = false;

  constructor(
    private readonly response: HttpResponse,
    private readonly log: Log,
    private readonly label: string,
  ) {}

  get headersSent(): boolean {
    return this.response.headersSent;
  }

  get statusCode(): number {
    return this.response.statusCode;
  }

  /** Lets nothing through any more. */
  close(): void {
    this.closed = true;
  }

  status(code: number): this {
    if (this.open('status')) this.response.status(code);
    return this;
  }

  set(name: string, value: string | number | readonly string[]): this {
    return this.setHeader(name, value);
  }

  header(name: string, value: string | number | readonly string[]): this {
    return this.setHeader(name, value);
  }

  setHeader(name: string, value: string | number | readonly string[]): this {
    if (this.open('a header')) this.response.setHeader(name, value);
    return this;
  }

  getHeader(name: string): number | string | string[] | undefined {
    return this.response.getHeader(name);
  }

  type(contentType: string): this {
    if (this.open('a type')) this.response.type(contentType);
    return this;
  }

  json(data: unknown): this {
    if (this.open('an answer')) this.response.json(data);
    return this;
  }

  send(data?: unknown): this {
    if (!this.open('an answer')) return this;
    if (data === undefined || typeof data === 'string') this.response.send(data ?? '');
    else if (data instanceof Uint8Array) this.response.send(Buffer.from(data));
    else this.response.json(data);
    return this;
  }

  redirect(first: number | string, address?: string): this {
    if (!this.open('an answer')) return this;
    if (typeof first === 'number') this.response.redirect(first, address ?? '/');
    else this.response.redirect(first);
    return this;
  }

  write(chunk: string | Uint8Array): boolean {
    return !this.closed && !this.response.writableEnded && this.response.write(chunk);
  }

  end(chunk?: string | Uint8Array): this {
    if (this.closed || this.response.writableEnded) this.complain('an end');
    else this.response.end(chunk);
    return this;
  }

  stream(source: AsyncIterable<string | Uint8Array>): Promise<void> {
    const sent = this.pump(source);
    // A handler may leave the stream to itself: its failure is told here, and must not end the process.
    sent.catch((error: unknown) => this.log.error(`a stream of route ${this.label} failed`, error));
    return sent;
  }

  private async pump(source: AsyncIterable<string | Uint8Array>): Promise<void> {
    try {
      for await (const chunk of source) {
        if (this.closed || this.response.destroyed) return;
        if (!this.response.write(chunk)) await Promise.race([once(this.response, 'drain'), once(this.response, 'close')]);
      }
      this.end();
    } catch (error) {
      // Only a cut connection tells the caller that the rest is missing; before the first byte there is still an answer to give.
      if (this.response.headersSent) this.response.destroy();
      throw error;
    }
  }

  private open(what: string): boolean {
    if (!this.closed && !this.response.headersSent) return true;
    this.complain(what);
    return false;
  }

  private complain(what: string): void {
    this.log.warn('a route handler sent something after its answer; it was dropped', { route: this.label, what });
  }
}
