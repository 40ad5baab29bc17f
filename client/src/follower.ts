// One caller that follows a channel over a socket.
import { cursorOption } from './options.js';
import type { ChannelEvent, Gap } from './events.js';

export interface FollowOptions {
  /** Cursor or offset of the last event that the caller has. Default: now. */
  readonly after?: number | string;
  readonly onEvent: (event: ChannelEvent) => void;
  /** Entries behind the cursor are gone: read the messages again. What follows is complete. */
  readonly onGap?: (gap: Gap) => void;
  /** The server refuses the channel. */
  readonly onError?: (error: unknown) => void;
}

/** What a caller has of the reply that is running. */
interface Running {
  /** Undefined as long as only a cursor tells of it. */
  readonly replyId: string | undefined;
  readonly attempt: number;
  /** UTF-16 units. */
  readonly position: number;
}

type ChunkEvent = Extract<ChannelEvent, { readonly type: 'message.chunk' }>;

/** One caller of `follow`, with its place in the channel. */
export class Follower {
  /** Behind the last event. */
  cursor: string | undefined;
  private offset = -1;
  private running: Running | undefined;

  /** @throws InvalidError when `after` is no cursor */
  constructor(readonly options: FollowOptions) {
    if (options.after !== undefined) this.place(cursorOption(options.after));
  }

  /** The server has let the caller in. @param cursor behind which it hears */
  joined(cursor: unknown): void {
    if (this.cursor === undefined && (typeof cursor === 'string' || typeof cursor === 'number')) this.place(String(cursor));
  }

  /** Begins where another one is. */
  joinAt({ cursor, offset, running }: Follower): void {
    Object.assign(this, { cursor, offset, running });
  }

  gap(gap: Gap): void {
    this.place(String(gap.to < gap.from ? gap.to : Math.max(this.offset, gap.to)));
    this.options.onGap?.(gap);
  }

  hear(event: ChannelEvent): void {
    const heard = event.type === 'message.chunk' ? this.newPart(event) : event.offset > this.offset && event;
    // Some entries come as several socket.io events, and after a new join what other followers missed.
    if (!heard) return;
    if ('status' in heard && heard.replyId === this.running?.replyId) this.running = undefined;
    this.cursor = heard.cursor;
    this.offset = heard.offset;
    this.options.onEvent(heard);
  }

  /** Whether this one is behind another. */
  isBehind(other: Follower): boolean {
    const [a, b] = [this.running, other.running];
    if (this.offset !== other.offset) return this.offset < other.offset;
    return (a?.attempt ?? 0) < (b?.attempt ?? 0) || (a?.attempt === b?.attempt && (a?.position ?? 0) < (b?.position ?? 0));
  }

  private place(cursor: string): void {
    const [offset = '', attempt, position] = cursor.split('.');
    this.cursor = cursor;
    this.offset = Number(offset);
    this.running = attempt === undefined ? undefined : { replyId: undefined, attempt: Number(attempt), position: Number(position) };
  }

  /** What the caller lacks of a part of a reply; undefined when it has all. */
  private newPart(event: ChunkEvent): ChunkEvent | undefined {
    const { replyId, attempt, start, text } = event;
    if (event.offset < this.offset) return undefined;
    const known = [undefined, replyId].includes(this.running?.replyId) && !event.reset ? this.running : undefined;
    if (known && attempt < known.attempt) return undefined;
    const had = known?.attempt === attempt ? Math.max(known.position - start, 0) : 0;
    if (had > 0 && had >= text.length) return undefined;
    this.running = { replyId, attempt, position: start + text.length };
    return had > 0 ? { ...event, start: start + had, text: text.substring(had) } : event;
  }
}

/** The one that is furthest ahead; undefined when none has a place. */
export function furthestAhead(followers: Iterable<Follower>): Follower | undefined {
  return [...followers].reduce<Follower | undefined>(
    (ahead, each) => (each.cursor !== undefined && (!ahead || ahead.isBehind(each)) ? each : ahead),
    undefined,
  );
}

/** The one that is furthest behind; undefined when none has a place. */
export function furthestBehind(followers: Iterable<Follower>): Follower | undefined {
  return [...followers].reduce<Follower | undefined>(
    (behind, each) => (each.cursor !== undefined && (!behind || each.isBehind(behind)) ? each : behind),
    undefined,
  );
}
