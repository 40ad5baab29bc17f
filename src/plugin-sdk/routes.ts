import type { RouteRequest } from './requests.js';
import type { AgentRuntime } from './runtime.js';
import type { WebhookOptions } from './webhooks.js';

/** How a route is reached. STATIC serves files, for GET and HEAD. */
export type RouteType = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'STATIC';

/**
 * How a handler answers. The first answer counts: what is sent after it is dropped and logged. An answer after the
 * route's time is up is dropped too.
 */
export interface RouteResponse {
  readonly headersSent: boolean;
  status(code: number): this;
  set(name: string, value: string | number | readonly string[]): this;
  setHeader(name: string, value: string | number | readonly string[]): this;
  type(contentType: string): this;
  json(data: unknown): this;
  /** Text, bytes, or anything else as JSON. */
  send(data?: unknown): this;
  redirect(address: string): this;
  redirect(status: number, address: string): this;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): this;
  /** Sends a stream of bytes to its end; a stream that fails cuts the connection. */
  stream(source: NodeJS.ReadableStream | AsyncIterable<string | Uint8Array>): Promise<void>;
}

/** Answers a request; may be asynchronous. What it throws is logged, and the caller gets 500 in the flat form. */
export type RouteHandler = (request: RouteRequest, response: RouteResponse, runtime: AgentRuntime) => unknown;

/** A route of a plugin (specification, "Plugin route definition"). */
export interface Route {
  readonly type: RouteType;
  /** Path under which it is reached, as it stands here: `/hooks/:name`. */
  readonly path: string;
  readonly handler?: RouteHandler;
  /** File or folder of a STATIC route, relative to the plugin's folder. */
  readonly filePath?: string;
  /** Open to everybody when true: no credential is asked for on any of its paths. A GET with a name is then among the agent's panels. */
  readonly public?: boolean;
  readonly name?: string;
  /** Accepts file uploads. */
  readonly isMultipart?: boolean;
  /**
   * Longest time until the answer begins, ms; 5000 when absent. What has begun goes on until the handler ends it or the caller goes.
   * A delivery that is handled afterwards (`mode: 'ack'`) has that time to its end; 30000 when absent.
   */
  readonly timeoutMs?: number;
  /** Largest upload of a multipart route, bytes in all; 10 MiB when absent. */
  readonly maxBytes?: number;
  /** Lets only what a sender has signed reach the handler, and each delivery once. */
  readonly webhook?: WebhookOptions;
}
