import type { IncomingHttpHeaders } from 'node:http';

/** What one request gets. */
export type SpeechBehaviour =
  /** Speech, or what was heard: `text`. */
  | { kind: 'reply'; text?: string }
  | { kind: 'status'; status: number; message?: string; headers?: Record<string, string> }
  /** No answer, ever. */
  | { kind: 'stall' }
  /** A connection that is closed instead of an answer. */
  | { kind: 'cut' }
  /** These bytes with status 200. */
  | { kind: 'bytes'; bytes: Uint8Array };

export interface SpeechServer {
  readonly origin: string;
  readonly baseUrl: string;
  /** Every POST so far, oldest first. */
  readonly requests: readonly {
    readonly path: string;
    readonly query: URLSearchParams;
    readonly headers: IncomingHttpHeaders;
    /** The body when it was JSON. */
    readonly json?: Record<string, unknown>;
    readonly body: Buffer;
    /** Settles when the connection is done with it: whether the answer got through. */
    readonly closed: Promise<boolean>;
  }[];
  /** For the next requests, one each; then what `otherwise` says. */
  next(...behaviours: SpeechBehaviour[]): void;
  otherwise(behaviour: SpeechBehaviour): void;
  /** Settles with the next POST. */
  received(): Promise<void>;
  close(): Promise<void>;
}

export function startSpeechServer(): Promise<SpeechServer>;
