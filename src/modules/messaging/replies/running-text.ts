import { cursorBehind, type Cursor, type JournalEntry, type Piece, type ReplyPosition } from '../../../core/journal/index.js';
import { replyChange, type ReplyChange, type TextPart } from './reply-changes.js';

/** Pieces that wait for the text before them; what is dropped comes with the next entry. */
const MAX_AHEAD = 200;

/** A part of the text, as it came. */
interface Part {
  readonly part: TextPart;
  /** Offset of the entry that comes before it. */
  readonly behind: number;
  /** The rest of the entry that contains it. */
  readonly source: Piece['entry'];
}

/** What a reader gets. */
export interface TextEvent {
  readonly entry: JournalEntry;
  /** To go on behind it. */
  readonly cursor: Cursor;
}

/**
 * The text of the reply that is running in a channel, as one reader gets it (docs/decisions/0064). Pieces and entries that repeat each other
 * go in; parts that continue what the reader has come out, in order, and a reset where they do not.
 */
export class RunningText {
  private reply: ReceivedText | undefined;
  private seq: number | null = null;

  /** @param offset of the last entry that the reader has */
  constructor(private offset: number) {}

  /** Takes an entry that the reader has. */
  skip(entry: JournalEntry): void {
    this.next(entry);
    this.reply?.skip();
  }

  /**
   * To be called behind the entries that the reader has.
   *
   * @param held how much of the running reply the reader has; the reply comes again whole when it is undefined
   * @returns what it lacks of the text so far
   */
  resume(held: ReplyPosition | undefined): TextEvent[] {
    this.reply?.resume(held);
    return this.part(false);
  }

  /** @returns what the reader gets: the entry that went in, or parts of the text with the offset of the last one */
  next(item: JournalEntry | Piece): TextEvent[] {
    if (item.type === 'piece') {
      const change = replyChange(item.entry);
      if (change?.kind !== 'text' || change.replyId !== this.reply?.id) return [];
      this.reply.add({ part: change, behind: item.behind, source: item.entry }, this.offset);
      return this.part(false);
    }
    const change = replyChange(item);
    if (change?.kind === 'text') {
      this.moveTo(item);
      if (change.replyId !== this.reply?.id) return [];
      this.reply.add({ part: change, behind: 0, source: item }, this.offset);
      return this.part(false);
    }
    const before = change && this.isEndOfText(change) ? this.part(true) : [];
    this.moveTo(item);
    if (change) this.follow(change);
    const event = this.event(item);
    this.reply?.drain(this.offset);
    return [...before, event, ...this.part(false)];
  }

  /** Whether a reader of `other` has what a reader of this has. */
  equals({ reply }: RunningText): boolean {
    return this.reply === undefined || reply === undefined ? this.reply === reply : this.reply.equals(reply);
  }

  private moveTo({ offset, seq }: JournalEntry): void {
    this.offset = offset;
    this.seq = seq;
  }

  /** Whether all text of the reply has been told before a change. */
  private isEndOfText(change: ReplyChange): boolean {
    const { reply } = this;
    if (!reply) return false;
    if (change.kind === 'stored') return change.message.id === reply.id;
    if (!('replyId' in change) || change.replyId !== reply.id) return false;
    if (change.kind === 'action') return reply.isAhead;
    return (
      change.kind === 'completed' || change.kind === 'suspended' || (change.kind === 'failed' && change.reason === 'error' && reply.hasText)
    );
  }

  private follow(change: ReplyChange): void {
    const { reply } = this;
    if (change.kind === 'begun') {
      if (reply?.id === change.replyId) reply.begin(change.attempt, 0);
      else this.reply = new ReceivedText(change.replyId, change.messageId, change.attempt);
    } else if (change.kind === 'completed' || change.kind === 'failed') {
      if (reply?.id === change.replyId) this.reply = undefined;
    } else if (change.kind === 'withdrawn' && (change.messageId ?? reply?.messageId) === reply?.messageId) this.reply = undefined;
  }

  private event(entry: JournalEntry): TextEvent {
    return { entry, cursor: cursorBehind(this.offset, this.reply?.position) };
  }

  private part(isEnd: boolean): TextEvent[] {
    const told = this.reply?.take(isEnd);
    if (!told) return [];
    const { source, part } = told;
    const { reset: _, ...payload } = source.payload as unknown as TextPart;
    const { offset, seq } = this;
    return [this.event({ ...source, offset, seq, payload: { ...payload, ...part } } as unknown as JournalEntry)];
  }
}

/** The text of one reply, as one reader has it. */
class ReceivedText {
  /** Of the current text: what the reader has, and what follows. */
  private given = '';
  private pending = '';
  /** Units that the reader has behind `given`, which are not known here. */
  private claimed = 0;
  /** What the reader has of an earlier text, as long as the current one repeats it. */
  private held: string | undefined;
  /** Whether the reader has another text, or it is unknown what it has. */
  private isOther = false;
  /** Whether a position stands for what the reader has: it may be in a text that began again and was never stored. */
  private isAssumed = false;
  private restart = 0;
  private index = 0;
  private ahead: Part[] = [];
  private source: Part['source'] | undefined;

  constructor(
    readonly id: string,
    readonly messageId: string,
    private attempt: number,
  ) {}

  /** What the reader has; undefined when it has another text. */
  get position(): ReplyPosition | undefined {
    if (this.isOther || this.held !== undefined) return undefined;
    return { attempt: this.attempt, position: this.given.length + this.claimed };
  }

  /** Whether the reader claims to have more than was stored. */
  get isAhead(): boolean {
    return this.claimed > 0;
  }

  /** Whether the attempt has said anything. */
  get hasText(): boolean {
    return this.given + this.pending !== '';
  }

  equals(other: ReceivedText): boolean {
    const keys = ['id', 'attempt', 'restart', 'isOther', 'isAssumed', 'claimed'] as const;
    if (keys.some((key) => this[key] !== other[key]) || this.held !== other.held) return false;
    return this.given.length === other.given.length && this.pending.length === other.pending.length;
  }

  /** The reader has the text so far. */
  skip(): void {
    this.take(false);
  }

  resume(held: ReplyPosition | undefined): void {
    this.given += this.pending;
    this.pending = '';
    this.held = undefined;
    // A reader has all that was stored, so that a position before its end is in a text that began again.
    this.isOther = held?.attempt !== this.attempt || held.position < this.given.length;
    this.isAssumed = true;
    this.claimed = held && !this.isOther ? held.position - this.given.length : 0;
  }

  /** Begins the text again, unless a later one has begun. */
  begin(attempt: number, restart: number): void {
    if (!this.precedes({ attempt, restart })) return;
    if (this.claimed > 0 || this.isAssumed) this.isOther = true;
    else if (!this.isOther) this.held ??= this.given;
    if (this.isOther) this.held = undefined;
    Object.assign(this, { attempt, restart, given: '', pending: '', claimed: 0 });
  }

  add(added: Part, offset: number): void {
    if (!this.accept(added, offset)) this.wait(added);
    this.drain(offset);
  }

  /** Adds the pieces whose text is connected now. */
  drain(offset: number): void {
    if (this.ahead.length === 0) return;
    const waiting = this.ahead;
    this.ahead = [];
    for (const each of waiting) if (!this.accept(each, offset)) this.wait(each);
  }

  /** @returns the part that the reader gets next; undefined when there is none */
  take(isEnd: boolean): { readonly source: Part['source']; readonly part: TextPart } | undefined {
    if (this.held !== undefined) this.compare(this.held, isEnd);
    if (this.held !== undefined) return undefined;
    const reset = this.isOther || (isEnd && this.claimed > 0);
    if (reset && this.given + this.pending === '' && !isEnd) return undefined;
    if (!this.source || (!reset && this.pending === '')) return undefined;
    const start = reset ? 0 : this.given.length;
    const text = reset ? this.given + this.pending : this.pending;
    this.given += this.pending;
    if (reset) this.isOther = this.isAssumed = false;
    Object.assign(this, { pending: '', claimed: 0 });
    const { attempt, restart, index, source } = this;
    return { source, part: { text, index, attempt, restart, start, ...(reset ? { reset: true } : {}) } };
  }

  /** Whether the current text continues the one that the reader has. */
  private compare(held: string, isEnd: boolean): void {
    const { pending } = this;
    if (pending.length < held.length && !isEnd && held.startsWith(pending)) return;
    this.held = undefined;
    if (pending.startsWith(held)) {
      this.given = held;
      this.pending = pending.substring(held.length);
    } else this.isOther = true;
  }

  /** @returns whether the part is no longer needed; one that is not connected has to wait */
  private accept({ part, behind, source }: Part, offset: number): boolean {
    if (behind > offset) return false;
    if (this.precedes(part)) {
      if (part.start > 0) return false;
      this.begin(part.attempt, part.restart);
    }
    if (part.attempt < this.attempt || part.restart < this.restart) return true;
    const known = this.given.length + this.pending.length;
    if (part.start > known) return false;
    if (part.start + part.text.length <= known) return true;
    this.append(part.text.substring(known - part.start));
    this.index = part.index;
    this.source = source;
    return true;
  }

  private append(text: string): void {
    const had = Math.min(this.claimed, text.length);
    this.claimed -= had;
    if (had > 0) this.given += text.substring(0, had);
    this.pending += had > 0 ? text.substring(had) : text;
  }

  private wait(part: Part): void {
    this.ahead.push(part);
    if (this.ahead.length > MAX_AHEAD) this.ahead.shift();
  }

  /** Whether the part belongs to a later text than the current one. */
  private precedes({ attempt, restart }: Pick<TextPart, 'attempt' | 'restart'>): boolean {
    return this.attempt < attempt || (this.attempt === attempt && this.restart < restart);
  }
}
