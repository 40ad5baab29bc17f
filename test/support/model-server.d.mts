import type { TemplateFamily } from './templates.mjs';

/**
 * What one request gets. `deltas` of a stream are the words of `text`, which repeats what the user said unless given.
 * Streams send all their words at once, or one every `delayMs`.
 */
export type ModelBehaviour =
  | { kind: 'reply'; text?: string; deltas?: string[]; delayMs?: number; held?: Held }
  /** Calls tools, in a stream; an input that is a string is sent as it stands. */
  | { kind: 'calls'; calls: { id: string; name: string; input: unknown }[] }
  /** Calls tools behind a text. */
  | { kind: 'calls'; calls: { id: string; name: string; input: unknown }[]; deltas: string[]; held: Held }
  /** An error answer; `headers` for a `retry-after`. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; message?: string; body?: object }
  /** An answer as it stands, in pieces of so many bytes; with `cut` the connection breaks behind it. */
  | { kind: 'wire'; body: string; type?: string; status?: number; pieces?: readonly number[]; cut?: boolean }
  /** An event stream that is no JSON. */
  | { kind: 'garbage' }
  /** A page of HTML, as a wrong base address gives. */
  | { kind: 'page' }
  /** JSON that ends too early, instead of a stream. */
  | { kind: 'broken' }
  /** The connection breaks after so many deltas (0: before the head of the answer). */
  | { kind: 'cut'; after?: number; text?: string; delayMs?: number }
  /** The answer ends in order after so many deltas, without a finish. */
  | { kind: 'unfinished'; after?: number; text?: string }
  /** Nothing more comes after so many deltas, and the connection stays open. */
  | { kind: 'hang'; after?: number; text?: string; delayMs?: number }
  /** The service reports an error inside the stream after so many deltas. */
  | { kind: 'fault'; after?: number; text?: string; message?: string; body?: object };

/** Deltas that are sent at once, and until when the others wait; in a test only. */
export interface Held {
  readonly after: number;
  readonly until: Promise<unknown>;
}

export interface ModelServerRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The caller's port: the same for requests over the same connection. */
  readonly connection: number;
  /** When it had been read, by `performance.now()` of the process that answers. */
  readonly at: number;
  /** Settles when the connection or the answer has ended: true when the whole answer was sent. */
  readonly closed: Promise<boolean>;
}

export interface ModelServer {
  readonly port: number;
  readonly origin: string;
  /** `OPENAI_BASE_URL` and `ANTHROPIC_BASE_URL` alike. */
  readonly baseUrl: string;
  /** The latest 1,000, oldest first. */
  readonly requests: readonly ModelServerRequest[];
  /** Settles with the last of so many requests (counted from the start) as soon as it is there. */
  received(count?: number): Promise<ModelServerRequest>;
  /** What the next requests get, one each. */
  next(...behaviours: ModelBehaviour[]): void;
  /** Forgets what no request has got yet. */
  dropScript(): void;
  /** What requests get once the script is used up; a function decides by the body of the request. */
  otherwise(behaviour: ModelBehaviour | ((body: ModelServerRequest['body']) => ModelBehaviour | Promise<ModelBehaviour>)): void;
  close(): Promise<void>;
}

/**
 * Listens on loopback, on a free port unless one is given. Without a script every request is answered at once. Requests that the template
 * refuses get its refusal; the strictest one of each API unless one is given.
 */
export function startModelServer(options?: { port?: number; otherwise?: ModelBehaviour; template?: TemplateFamily }): Promise<ModelServer>;
