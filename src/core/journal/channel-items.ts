import { iterate, type Polled } from '../iteration/index.js';
import type { JournalEntry } from './events.js';
import type { ChannelSubscription } from './feed.js';
import { ItemBuffer } from './item-buffer.js';
import type { Piece } from './pieces.js';

/**
 * Tells a reader that the entries after its cursor, up to `to`, have been deleted. With `to` below `from`, the cursor is ahead of the
 * journal, which was restored from an earlier backup.
 */
export interface Gap {
  readonly type: 'gap';
  readonly from: number;
  readonly to: number;
}

/** What a reader of a channel gets. */
export type JournalItem = JournalEntry | Gap | Piece;

/** What `ChannelItems` reads from. */
export interface ItemSource {
  subscribe(listener: (item: JournalEntry | Piece) => void): ChannelSubscription;
  /** The stored entries behind `after`, up to `upTo`. */
  missed(after: number, upTo: number): AsyncIterator<JournalEntry | Gap, void>;
}

export interface ChannelItemsOptions {
  /** Offset of the last entry that the reader has; it gets only what is to come when it is undefined. */
  readonly after?: number | undefined;
  /** Ends the items. */
  readonly signal: AbortSignal;
  /**
   * Called whenever everything so far has been read. The next item has not been delivered yet, so that a reader can end here and go on as a
   * subscriber without a hole or a repeat.
   */
  readonly onCurrent?: (() => void) | undefined;
}

/**
 * What comes in a channel, in order. Only a limited number of items is kept for a slow reader; the entries of the rest are read from the
 * database, or reported as a gap if they have been deleted.
 */
export class ChannelItems implements Polled<JournalItem>, AsyncIterable<JournalItem> {
  /** Entries up to this offset had been committed at the beginning. */
  readonly from: number;
  private readonly buffer = new ItemBuffer();
  private readonly signal: AbortSignal;
  /** Of the last entry that the reader has got. */
  private cursor: number | undefined;
  /** Of the last entry that was delivered. */
  private newest = 0;
  /** Whether entries up to `newest` have to be read, because the buffer was full. */
  private isBehind = false;
  private missed: AsyncIterator<JournalEntry | Gap, void> | undefined;
  private read: JournalEntry | Gap | undefined;
  private wake: () => void = () => undefined;

  constructor(
    private readonly source: ItemSource,
    private readonly options: ChannelItemsOptions,
  ) {
    const { after, signal } = options;
    this.signal = signal;
    this.cursor = after;
    const { from, stop } = source.subscribe((item) => this.add(item));
    this.from = from;
    if (after !== undefined) this.missed = source.missed(after, from);
    const aborted = (): void => {
      stop();
      this.wake();
    };
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted, { once: true });
  }

  poll(): JournalItem | undefined {
    if (this.signal.aborted) return undefined;
    const { read } = this;
    if (read) {
      this.read = undefined;
      this.cursor = read.type === 'gap' ? read.to : read.offset;
      return read;
    }
    // Missed entries come before later ones.
    if (this.isBehind || this.missed) return undefined;
    for (;;) {
      const item = this.buffer.shift();
      if (item === undefined || item.type === 'piece') return item;
      // Entries that were read stand in the buffer as well.
      if (item.offset <= (this.cursor ?? 0)) continue;
      this.cursor = item.offset;
      return item;
    }
  }

  async wait(): Promise<void> {
    if (this.signal.aborted || this.read) return;
    if (this.isBehind && !this.missed) {
      this.isBehind = false;
      this.missed = this.source.missed(this.cursor ?? this.newest, this.newest);
    }
    if (this.missed) {
      const next = await this.missed.next();
      if (next.done === true) this.missed = undefined;
      else this.read = next.value;
      return;
    }
    if (!this.buffer.isEmpty) return;
    this.options.onCurrent?.();
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      if (!this.buffer.isEmpty || this.isBehind || this.signal.aborted) resolve();
    });
  }

  /** Whether the signal has aborted. */
  get hasEnded(): boolean {
    return this.signal.aborted;
  }

  [Symbol.asyncIterator](): AsyncGenerator<JournalItem, void> {
    return iterate(this);
  }

  private add(item: JournalEntry | Piece): void {
    if (item.type !== 'piece') {
      this.cursor ??= item.offset - 1;
      this.newest = item.offset;
    }
    // A piece that finds no room is lost; an entry is read.
    if (!this.buffer.push(item)) this.isBehind = true;
    this.wake();
  }
}
