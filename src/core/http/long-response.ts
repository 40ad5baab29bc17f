import { yieldToEventLoop, type Clock } from '../clock/index.js';
import { PAGE_BYTES } from '../database/index.js';
import { Log } from '../logging/index.js';
import { ResponseSent } from './response-sent.js';
import { disconnectSignal } from './disconnect-signal.js';
import type { HttpResponse } from './express.js';
import { endHeadResponse } from './head-response.js';
import { PagedList, type Pages } from './paged-list.js';
import { endResponse, unreadResponses, waitForDrain } from './unread-responses.js';

/** Characters of a slice. */
const SLICE_LENGTH = 128 * 1024;
/** Longer lists are serialized element by element. */
const MAX_SHORT_LIST = 4;
/** Nesting levels that are searched for lists. */
const MAX_LEVELS = 4;
/** A client that has not accepted a slice within this time is disconnected. */
const STALL_TIMEOUT_MS = 30_000;

const log = new Log('http');

/** Whether a payload contains lists that may be too long to serialize at once. */
export function isLong(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof PagedList) return true;
  if (Array.isArray(value)) return value.length > MAX_SHORT_LIST;
  if (levels === 0 || 'toJSON' in value) return false;
  for (const key in value) if (isLong((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/**
 * Sends a JSON response with lists of any length. A response of one slice is sent in one write with a Content-Length. A longer one is
 * refused with SERVER_BUSY while too much waits for clients (`UnreadResponses`), otherwise serialized at the client's pace and yields to the event loop between slices. A client that has not accepted a slice within 30 s is
 * disconnected.
 *
 * @throws the error of the payload. Before the first slice it becomes an ordinary error response; later the caller must close the connection
 */
export async function sendLongResponse(response: HttpResponse, body: unknown, clock: Clock): Promise<void> {
  const gone = disconnectSignal(response);
  const slices = new Slices(response, gone, clock);
  try {
    await write(slices, body);
    await slices.end();
  } catch (error) {
    if (!gone.aborted || error !== gone.reason) throw error;
    log.debug('a long response was stopped: the client disconnected or did not read');
  } finally {
    slices.release();
  }
}

/** Produces the same text as `JSON.stringify`. */
async function write(slices: Slices, value: unknown): Promise<void> {
  if (value instanceof PagedList) {
    const { pages, present } = value as PagedList<unknown, unknown>;
    await writeList(slices, pages(), present);
  } else if (Array.isArray(value) && value.length > MAX_SHORT_LIST) await writeList(slices, [value as unknown[]], (each) => each);
  else if (isLong(value)) await writeFields(slices, value as Record<string, unknown>);
  else slices.text += JSON.stringify(value);
}

async function writeList(slices: Slices, pages: Pages<unknown>, present: (row: unknown) => unknown): Promise<void> {
  let separator = '';
  slices.text += '[';
  for await (const page of pages) {
    for (const row of page) {
      slices.text += separator + (JSON.stringify(present(row)) ?? 'null');
      separator = ',';
      if (slices.isFull) await slices.flush();
    }
  }
  slices.text += ']';
}

async function writeFields(slices: Slices, value: Record<string, unknown>): Promise<void> {
  let separator = '{';
  for (const [key, field] of Object.entries(value)) {
    // Like JSON.stringify, omits undefined and values that JSON cannot represent.
    const text = isLong(field) ? '' : JSON.stringify(field);
    if (text === undefined) continue;
    slices.text += `${separator}${JSON.stringify(key)}:${text}`;
    separator = ',';
    if (text === '') await write(slices, field);
    if (slices.isFull) await slices.flush();
  }
  slices.text += '}';
}

/** Buffers and sends the text of a response. */
class Slices {
  /** Text that has not been sent. */
  text = '';
  /** Ends what the response holds. */
  release: () => void = () => undefined;

  constructor(
    private readonly response: HttpResponse,
    private readonly gone: AbortSignal,
    private readonly clock: Clock,
  ) {}

  get isFull(): boolean {
    return this.text.length >= SLICE_LENGTH;
  }

  /** Sends the buffered text; resolves when the client has accepted it. @throws the signal's reason when the client has disconnected */
  async flush(): Promise<void> {
    const { response } = this;
    if (response.req.method === 'HEAD') {
      endHeadResponse(response.set('Content-Type', 'application/json; charset=utf-8'));
      throw new ResponseSent();
    }
    if (!response.headersSent) {
      const { unread, address } = unreadResponses(response);
      unread.admit(address);
      // Until the end: the client may stop reading at any slice, and a part of the list is in memory between them.
      this.release = unread.hold(address, PAGE_BYTES + SLICE_LENGTH);
      response.set('Content-Type', 'application/json; charset=utf-8');
    }
    const taken = response.write(this.text);
    this.text = '';
    if (!taken) await this.waitForDrain();
    await yieldToEventLoop();
    this.gone.throwIfAborted();
  }

  async end(): Promise<void> {
    this.gone.throwIfAborted();
    const { response, text } = this;
    if (!response.headersSent) {
      response.set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(Buffer.byteLength(text)) });
    }
    endResponse(response, response.req.method === 'HEAD' ? undefined : text);
  }

  private async waitForDrain(): Promise<void> {
    const cancel = this.clock.after(STALL_TIMEOUT_MS, () => this.response.destroy());
    try {
      await waitForDrain(this.response, this.gone);
    } finally {
      cancel();
    }
  }
}
