import { once } from 'node:events';
import type { HttpResponse } from '../../core/http/index.js';
import type { Log } from '../../core/logging/index.js';
import type { RouteResponse } from '../../plugin-sdk/index.js';

/** The flat error body of plugin routes (specification, "Errors" 3). */
export function flatError(error: string): { success: false; error: string } {
  return { success: false, error };
}

/**
 * The response object of a handler. It sends one response: calls after that, or after the route's time limit, are dropped and logged, so
 * that no handler can break another one's connection.
 */
export class PluginResponse implements RouteResponse {
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

  /** Drops all further calls. */
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
    if (this.open('a response')) this.response.json(data);
    return this;
  }

  send(data?: unknown): this {
    if (!this.open('a response')) return this;
    if (data === undefined || typeof data === 'string') this.response.send(data ?? '');
    else if (data instanceof Uint8Array) this.response.send(Buffer.from(data));
    else this.response.json(data);
    return this;
  }

  redirect(first: number | string, address?: string): this {
    if (!this.open('a response')) return this;
    if (typeof first === 'number') this.response.redirect(first, address ?? '/');
    else this.response.redirect(first);
    return this;
  }

  write(chunk: string | Uint8Array): boolean {
    return !this.closed && !this.response.writableEnded && this.response.write(chunk);
  }

  end(chunk?: string | Uint8Array): this {
    if (this.closed || this.response.writableEnded) this.logDropped('an end');
    else this.response.end(chunk);
    return this;
  }

  stream(source: AsyncIterable<string | Uint8Array>): Promise<void> {
    const sent = this.writeAll(source);
    // A handler may not await the stream: log the failure here, so that it does not end the process.
    sent.catch((error: unknown) => this.log.error(`a stream of route ${this.label} failed`, error));
    return sent;
  }

  private async writeAll(source: AsyncIterable<string | Uint8Array>): Promise<void> {
    try {
      for await (const chunk of source) {
        if (this.closed || this.response.destroyed) return;
        if (!this.response.write(chunk)) await Promise.race([once(this.response, 'drain'), once(this.response, 'close')]);
      }
      this.end();
    } catch (error) {
      // After the first byte, only a closed connection tells the client that the rest is missing.
      if (this.response.headersSent) this.response.destroy();
      throw error;
    }
  }

  private open(what: string): boolean {
    if (!this.closed && !this.response.headersSent) return true;
    this.logDropped(what);
    return false;
  }

  private logDropped(what: string): void {
    this.log.warn('a route handler called the response after it had ended; the call was dropped', { route: this.label, what });
  }
}
