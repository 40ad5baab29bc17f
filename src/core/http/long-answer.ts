import { nextTurn, type Clock } from '../clock/index.js';
import { Log } from '../logging/index.js';
import { AnswerGiven } from './answer-given.js';
import { clientGone, drained } from './client-gone.js';
import type { HttpResponse } from './express.js';
import { PagedList, type Pages } from './paged-list.js';

/** Characters that are put together and sent without a pause. */
const SLICE = 128 * 1024;
/** Longer lists are turned into text one element after another. */
const SHORT_LIST = 4;
/** How deep lists are looked for. */
const LEVELS = 4;
/** A client that has not taken a slice within this time is cut. */
const STALLED_MS = 30_000;

const log = new Log('http');

/** Whether an answer has lists that may be too long to be turned into text at once. */
export function isLong(value: unknown, levels = LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof PagedList) return true;
  if (Array.isArray(value)) return value.length > SHORT_LIST;
  if (levels === 0 || 'toJSON' in value) return false;
  for (const key in value) if (isLong((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/**
 * Sends a JSON answer whose lists may be long. One that fits into a slice leaves in one write and has a Content-Length. A longer one
 * leaves in slices: the event loop turns between them, nothing is made faster than the client reads, and a client that has not taken a
 * slice within 30 s is cut. A failure before the first slice is thrown for an ordinary error answer; the connection of a later one has
 * to be cut.
 */
export async function sendLongAnswer(response: HttpResponse, body: unknown, clock: Clock): Promise<void> {
  const gone = clientGone(response);
  const slices = new Slices(response, gone, clock);
  try {
    await write(slices, body);
    await slices.end();
  } catch (error) {
    if (!gone.aborted || error !== gone.reason) throw error;
    log.debug('a long answer was stopped: its client went away or did not read');
  }
}

/** Writes what `JSON.stringify` would. */
async function write(slices: Slices, value: unknown): Promise<void> {
  if (value instanceof PagedList) {
    const { pages, present } = value as PagedList<unknown, unknown>;
    await writeList(slices, pages(), present);
  } else if (Array.isArray(value) && value.length > SHORT_LIST) await writeList(slices, [value as unknown[]], (each) => each);
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
    // Undefined, and what JSON has no word for: such a field is left out.
    const text = isLong(field) ? '' : JSON.stringify(field);
    if (text === undefined) continue;
    slices.text += `${separator}${JSON.stringify(key)}:${text}`;
    separator = ',';
    if (text === '') await write(slices, field);
    if (slices.isFull) await slices.flush();
  }
  slices.text += '}';
}

/** The answer's text on its way out. */
class Slices {
  /** What has not been sent. */
  text = '';

  constructor(
    private readonly response: HttpResponse,
    private readonly gone: AbortSignal,
    private readonly clock: Clock,
  ) {}

  get isFull(): boolean {
    return this.text.length >= SLICE;
  }

  /** Settles when the client has taken it and everything else has had its turn. @throws the signal's reason when the client is gone */
  async flush(): Promise<void> {
    const { response } = this;
    if (response.req.method === 'HEAD') {
      // How long it would be is not known, and needs not be said.
      response.set('Content-Type', 'application/json; charset=utf-8').end();
      throw new AnswerGiven();
    }
    if (!response.headersSent) response.set('Content-Type', 'application/json; charset=utf-8');
    const taken = response.write(this.text);
    this.text = '';
    if (!taken) await this.drained();
    await nextTurn();
    this.gone.throwIfAborted();
  }

  async end(): Promise<void> {
    this.gone.throwIfAborted();
    const { response, text } = this;
    if (response.headersSent) {
      response.end(text);
      return;
    }
    response.set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(Buffer.byteLength(text)) });
    response.end(response.req.method === 'HEAD' ? undefined : text);
  }

  private async drained(): Promise<void> {
    const cancel = this.clock.after(STALLED_MS, () => this.response.destroy());
    try {
      await drained(this.response, this.gone);
    } finally {
      cancel();
    }
  }
}
