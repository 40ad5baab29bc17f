import type { Config } from '../config/index.js';
import { AppError } from '../errors/index.js';
import type { HttpResponse } from './express.js';
import { networkOf } from './network.js';

const RETRY_SECONDS = 5;
/** Shorter responses are always sent. */
const SHORT_BYTES = 16 * 1024;
const MIB = 1024 * 1024;

type Limits = Pick<Config, 'responseBufferBytes' | 'responseBufferBytesPerAddress'>;

/** Limits the memory of responses that their clients have not read yet: of all together, and of each client address. */
export class UnreadResponses {
  private held = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(private readonly limits: Limits) {}

  /** Bytes that wait for their clients. */
  get used(): number {
    return this.held;
  }

  hasRoom(address: string): boolean {
    const { responseBufferBytes, responseBufferBytesPerAddress } = this.limits;
    return this.held < responseBufferBytes && (this.byAddress.get(address) ?? 0) < responseBufferBytesPerAddress;
  }

  /** @throws AppError SERVER_BUSY when as much waits already as may */
  admit(address: string): void {
    if (this.hasRoom(address)) return;
    throw new AppError(
      'SERVER_BUSY',
      'Too many responses wait for their clients to read them.',
      'Read the responses to earlier requests and retry after the time in Retry-After, or raise RESPONSE_BUFFER_BYTES.',
    ).retryAfter(RETRY_SECONDS);
  }

  /** Counts bytes that wait. @returns a function that ends this; idempotent */
  hold(address: string, bytes: number): () => void {
    let own = bytes;
    this.count(address, bytes);
    return () => {
      this.count(address, -own);
      own = 0;
    };
  }

  private count(address: string, bytes: number): void {
    this.held += bytes;
    const now = (this.byAddress.get(address) ?? 0) + bytes;
    if (now > 0) this.byAddress.set(address, now);
    else this.byAddress.delete(address);
  }
}

// By the application: a process may have several, in tests.
const ofApplications = new WeakMap<object, UnreadResponses>();

/** Sets the limits of an application. */
export function limitUnreadResponses(application: object, limits: Limits): void {
  ofApplications.set(application, new UnreadResponses(limits));
}

/** The unread responses of the application that makes a response, and the address of its client. */
export function unreadResponses({ app, req }: HttpResponse): { readonly unread: UnreadResponses; readonly address: string } {
  let unread = ofApplications.get(app);
  if (!unread) {
    unread = new UnreadResponses({ responseBufferBytes: 256 * MIB, responseBufferBytesPerAddress: 64 * MIB });
    ofApplications.set(app, unread);
  }
  return { unread, address: networkOf(req.ip ?? '') };
}

/** Ends a response with its whole body. @throws AppError SERVER_BUSY; nothing is sent then */
export function endResponse(response: HttpResponse, body: string | Buffer | undefined): void {
  const { unread, address } = unreadResponses(response);
  if (body !== undefined && body.length > SHORT_BYTES && !response.headersSent) unread.admit(address);
  response.end(body);
  // What the machine has not taken yet; nothing for a client that reads.
  if (response.writableLength > 0 && !response.closed) response.once('close', unread.hold(address, response.writableLength));
}

/**
 * Resolves when the response accepts more data, or the signal aborts. Meanwhile it holds what is written.
 *
 * @param behind bytes of what follows, which is in memory too
 */
export async function waitForDrain(response: HttpResponse, signal: AbortSignal, behind = 0): Promise<void> {
  const { unread, address } = unreadResponses(response);
  const release = unread.hold(address, response.writableLength + behind);
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
  release();
}
