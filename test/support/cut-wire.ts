import { connect, type Socket } from 'node:net';

/** A request, for whichever server it is sent to. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A server-sent event that came whole. */
export interface Frame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

/** What a client has of a response. */
export interface Part {
  /** Undefined until the whole head has come. */
  readonly status: number | undefined;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly frames: readonly Frame[];
}

/** Where a connection is cut, in bytes of the socket; undefined as long as too few have come. */
export type Cut = (bytes: Buffer) => number | undefined;

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const FRAME_END = '\n\n';
const PING = Buffer.from(': ping');

/** Behind so much (0 to 1) of a frame, from 0, or of the head (-1). */
export function inFrame(frame: number, share: number): Cut {
  return (bytes) => {
    const bounds = boundsOf(bytes, frame);
    return bounds && Math.max(1, bounds.begin + Math.floor(share * (bounds.end - bounds.begin)));
  };
}

/** In the middle of the first character of a frame that has several bytes; at its end when it has none. */
export function inCharacter(frame: number): Cut {
  return (bytes) => {
    const bounds = boundsOf(bytes, frame);
    const first = bounds && bytes.subarray(bounds.begin, bounds.end).findIndex((byte) => byte >= 0xc0);
    return bounds && (first === undefined || first === -1 ? bounds.end : bounds.begin + first + 1);
  };
}

/** Number of frames that came whole. */
export function framesOf(bytes: Buffer): number {
  return [...endsIn(bytes)].length;
}

/** The bytes of a frame in the socket, once it has come whole. */
function boundsOf(bytes: Buffer, frame: number): { begin: number; end: number } | undefined {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return undefined;
  const bounds = [0, head + HEAD_END.length, ...endsIn(bytes)];
  const [begin, end] = [bounds[frame + 1], bounds[frame + 2]];
  return begin === undefined || end === undefined ? undefined : { begin, end };
}

/** Behind each frame; signs of life, which come at any time, are parts of the next one. */
function* endsIn(bytes: Buffer): Generator<number, void> {
  for (let at = bytes.indexOf(FRAME_END); at !== -1; at = bytes.indexOf(FRAME_END, at + 2)) {
    if (!bytes.subarray(0, at).subarray(-PING.length).equals(PING)) yield at + FRAME_END.length;
  }
}

/** A request on a connection of its own, whose response comes byte by byte. */
export class Wire {
  bytes = Buffer.alloc(0);
  /** Whether no more comes. */
  isOver = false;
  private changed = (): void => undefined;
  private readonly socket: Socket;

  constructor(url: string, { method, path, headers = {}, body }: Asked) {
    const { hostname, port, host } = new URL(url);
    const content = body === undefined ? '' : JSON.stringify(body);
    const fields = {
      ...{ host, connection: 'close', 'content-length': Buffer.byteLength(content) },
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    };
    const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)];
    this.socket = connect(Number(port), hostname, () => this.socket.write(`${lines.join('\r\n')}${HEAD_END}${content}`));
    this.socket.on('data', (bytes) => {
      this.bytes = Buffer.concat([this.bytes, bytes]);
      if (isWhole(this.bytes)) this.isOver = true;
      this.changed();
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isOver = true;
      this.changed();
    });
  }

  get part(): Part {
    return readPart(this.bytes);
  }

  /** Settles when the bytes that came are enough, or no more come. */
  async until(isEnough: (bytes: Buffer) => boolean): Promise<void> {
    while (!this.isOver && !isEnough(this.bytes)) await new Promise<void>((resolve) => (this.changed = resolve));
  }

  async whole(): Promise<Part> {
    await this.until(() => false);
    return this.part;
  }

  /** Breaks the connection, as if nothing had come behind so many bytes. */
  cutAt(length: number): Part {
    this.socket.resetAndDestroy();
    this.bytes = this.bytes.subarray(0, length);
    return this.part;
  }
}

/** Whether a response has come to its end. The server may keep the connection. */
function isWhole(bytes: Buffer): boolean {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return false;
  const fields = bytes.toString('latin1', 0, head);
  if (/^transfer-encoding: chunked$/im.test(fields)) return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  return bytes.length >= head + HEAD_END.length + Number(/^content-length: (\d+)$/im.exec(fields)?.[1] ?? 0);
}

function readPart(bytes: Buffer): Part {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return { status: undefined, headers: new Map(), text: '', frames: [] };
  const [first = '', ...fields] = bytes.toString('latin1', 0, head).split('\r\n');
  const headers = new Map(fields.map((field) => [field.replace(/:[^]*/, '').toLowerCase(), field.replace(/^[^:]*: */, '')] as const));
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(bytes, head + 4) : bytes.subarray(head + 4);
  // A character of which only a part came is left out.
  const text = new TextDecoder().decode(body, { stream: true });
  return { status: Number(first.split(' ')[1]), headers, text, frames: framesIn(text) };
}

function unchunked(bytes: Buffer, from: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = from; at < bytes.length;) {
    const begin = bytes.indexOf('\r\n', at) + 2;
    const size = begin === 1 ? 0 : Number.parseInt(bytes.toString('latin1', at, begin), 16);
    if (size === 0) break;
    parts.push(bytes.subarray(begin, begin + size));
    at = begin + size + 2;
  }
  return Buffer.concat(parts);
}

function framesIn(text: string): Frame[] {
  const whole = text.substring(0, text.lastIndexOf(FRAME_END) + 2);
  return whole.split(FRAME_END).flatMap((frame) => {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1];
    const data = field('data');
    return data === undefined ? [] : [{ id: field('id'), event: field('event'), data }];
  });
}
