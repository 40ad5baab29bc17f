import type { Memory, State } from './conversation.js';
import type { AgentRuntime, OutgoingMessage, ServiceInstance } from './runtime.js';

/** A file of a multipart request. */
export interface TestFile {
  readonly fieldname?: string;
  readonly originalname: string;
  readonly mimetype?: string;
  readonly content: string | Uint8Array;
}

export interface TestRequest {
  /** GET by default. */
  readonly method?: string;
  /** May contain a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes and text are sent unchanged and parsed by the content type; other values are sent as JSON. */
  readonly body?: unknown;
  readonly files?: readonly TestFile[];
  /** For webhooks: `deliveryId` and `attempt` of the request; a fixed UUID and 1 by default. */
  readonly deliveryId?: string;
  readonly attempt?: number;
}

export interface TestOptions {
  /** Take precedence over the defaults of the plugin's configuration. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly agent?: { readonly agentId?: string; readonly name?: string } & Readonly<Record<string, unknown>>;
  /** Content of the plugin's store; modified by the plugin. */
  readonly store?: Map<string, unknown>;
  /** Running services by type, for `runtime.getService`. */
  readonly services?: Readonly<Record<string, ServiceInstance>>;
  /** Replacements for parts of the runtime. */
  readonly runtime?: Partial<AgentRuntime>;
}

export interface RouteTestResult {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON, else text. */
  readonly body: unknown;
  /** Messages that the handler posted, in order. */
  readonly sent: readonly OutgoingMessage[];
  readonly logs: readonly { readonly level: string; readonly message: string }[];
  /** Error that the handler threw; as in the server, the status is 500 then. */
  readonly error?: unknown;
}

/** The turn in which a component is called. */
export interface TestTurn {
  /** Text of the user's message; empty by default. */
  readonly text?: string;
  /** Other members of the message. */
  readonly message?: Partial<Memory>;
  /** What providers contributed. */
  readonly state?: Partial<State>;
}
