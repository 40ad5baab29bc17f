import type { RouteRequest } from './requests.js';
import type { AgentRuntime } from './runtime.js';
import type { WebhookOptions } from './webhooks.js';

/** HTTP method of a route. STATIC serves files for GET and HEAD. */
export type RouteType = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'STATIC';

/**
 * The response of a handler. Only the first response is sent; later ones are dropped and logged. A response after the route's time limit
 * is dropped too.
 */
export interface RouteResponse {
  readonly headersSent: boolean;
  status(code: number): this;
  set(name: string, value: string | number | readonly string[]): this;
  setHeader(name: string, value: string | number | readonly string[]): this;
  type(contentType: string): this;
  json(data: unknown): this;
  /** Sends text or bytes; other values are sent as JSON. */
  send(data?: unknown): this;
  redirect(address: string): this;
  redirect(status: number, address: string): this;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): this;
  /** Sends a stream of bytes; if the stream fails, the connection is closed. */
  stream(source: NodeJS.ReadableStream | AsyncIterable<string | Uint8Array>): Promise<void>;
}

/** Handles a request; may be asynchronous. An error is logged, and the caller gets 500 with a flat error body. */
export type RouteHandler = (request: RouteRequest, response: RouteResponse, runtime: AgentRuntime) => unknown;

/** A route of a plugin (specification, "Plugin route definition"). */
export interface Route {
  readonly type: RouteType;
  /** Path of the route, without a prefix: `/hooks/:name`. */
  readonly path: string;
  readonly handler?: RouteHandler;
  /** File or folder of a STATIC route, relative to the plugin's folder. */
  readonly filePath?: string;
  /** True: requires no credential on any of its paths. A public GET with a name is listed among the agent's panels. */
  readonly public?: boolean;
  readonly name?: string;
  /** Accepts file uploads. */
  readonly isMultipart?: boolean;
  /**
   * Time limit until the response starts, ms; 5000 by default. A started response continues until the handler ends it or the caller
   * disconnects. For webhooks with `mode: 'ack'` it limits the whole handler; 30000 by default.
   */
  readonly timeoutMs?: number;
  /** Maximum total size of an upload to a multipart route, bytes; 10 MiB by default. */
  readonly maxBytes?: number;
  /** Makes the route a webhook: only signed requests reach the handler, and each delivery is handled once. */
  readonly webhook?: WebhookOptions;
}
