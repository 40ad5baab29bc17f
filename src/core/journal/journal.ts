import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { Reader, STORE, UnitOfWork, type Store } from '../database/index.js';
import { EntryBuffer } from './entry-buffer.js';
import type { JournalEntry } from './events.js';
import type { Feed } from './feed.js';
import { BATCH, ENTRY_COLUMNS, toEntry } from './journal-reads.js';
import { JOURNAL_METRICS } from './journal.metrics.js';
import type { Listener } from './listeners.js';
import { LocalFeed } from './local-feed.js';
import { SharedFeed } from './shared-feed.js';

/**
 * Tells a reader that the entries after its cursor, up to `to`, have been deleted. With `to` below `from`, the cursor is ahead of the
 * journal, which was restored from an earlier backup.
 */
export interface Gap {
  readonly type: 'gap';
  readonly from: number;
  readonly to: number;
}

/** Reads the journal: its stored entries, and those that are being committed. */
@Injectable()
export class Journal implements OnModuleInit, OnApplicationShutdown {
  private readonly feed: Feed;

  constructor(
    private readonly reader: Reader,
    clock: Clock,
    unitOfWork: UnitOfWork,
    @Inject(STORE) { notifier }: Store,
  ) {
    this.feed = notifier ? new SharedFeed(reader, clock, notifier) : new LocalFeed(reader, clock, unitOfWork);
    unitOfWork.onCommit((appended) => {
      for (const { statement } of appended) JOURNAL_METRICS.appended.with({ type: statement.params[3] as string }).add();
      this.feed.committed(appended);
    });
  }

  async onModuleInit(): Promise<void> {
    await this.feed.start();
  }

  onApplicationShutdown(): void {
    this.feed.stop();
  }

  /** Offset up to which the entries of all watched channels have been delivered. A client that keeps it as its cursor misses no later entry. */
  get tail(): number {
    return this.feed.tail;
  }

  /**
   * Waits until what every process reads has been delivered as far as it was committed before this call, so that what subscribers keep is as new
   * as the database.
   *
   * @returns undefined when nothing has to be waited for
   */
  catchUp(): Promise<void> | undefined {
    return this.feed.catchUp();
  }

  /**
   * Waits until entries up to an offset have been delivered.
   *
   * @param withinMs maximum wait, ms; unlimited by default
   * @returns undefined when they have been
   */
  delivered(offset: number, withinMs?: number): Promise<void> | undefined {
    return this.feed.delivered(offset, withinMs);
  }

  /** The cursor of a reader that has none: entries committed before this call are not after it, unless a commit at that time held them up. */
  present(): Promise<number> | number {
    return this.feed.present();
  }

  /** Offset of the newest committed entry, 0 when there is none. */
  async head(): Promise<number> {
    const [row] = await this.reader.rows<{ head: number | null }>('SELECT max(pos) AS head FROM journal');
    return row?.head ?? 0;
  }

  /** Entries up to this offset may have been removed by retention. */
  async floor(): Promise<number> {
    const [row] = await this.reader.rows<{ trimmed_to: number }>('SELECT trimmed_to FROM journal_floor WHERE id = 1');
    return row?.trimmed_to ?? 0;
  }

  /**
   * Calls `listener` with every entry that this process appends, and with those that every process reads: entries without a channel, and those
   * of types that are read everywhere (`EventDefinition.everywhere`). Each once, those of a channel in order. It must not block.
   *
   * @returns a function that ends the subscription
   */
  subscribe(listener: Listener): () => void {
    return this.feed.onEntry(listener);
  }

  /** As `subscribe`, with the entries of one channel, of any process. */
  subscribeToChannel(channelId: string, listener: Listener): () => void {
    return this.feed.onChannel(channelId, listener);
  }

  /** As `subscribe`, with the entries of all channels that are watched, in the order of their offsets, for clients that keep one cursor. */
  subscribeToWatched(listener: Listener): () => void {
    return this.feed.onWatched(listener);
  }

  /**
   * Watches a channel, for `subscribeToWatched`. Once `ready` has resolved, every entry after `tail` is delivered.
   *
   * @param listener gets the entries of the channel, as `subscribeToWatched` does
   */
  watch(channelId: string, listener?: Listener): { readonly ready: Promise<void>; readonly stop: () => void } {
    return this.feed.watch(channelId, listener);
  }

  /** Committed entries of a channel with `after` < offset <= `upTo`, oldest first, as many as fit in a page. */
  async read(channelId: string, after: number, upTo = Number.MAX_SAFE_INTEGER, limit = BATCH): Promise<JournalEntry[]> {
    const { rows } = await this.reader.page({
      columns: ENTRY_COLUMNS,
      bytes: 'octet_length(payload)',
      from: 'FROM journal WHERE channel_id = ? AND pos > ? AND pos <= ?',
      params: [channelId, after, upTo],
      order: 'pos',
      limit,
    });
    return rows.map(toEntry);
  }

  /**
   * Entries of a channel from this call on, in order, until `signal` aborts (which must happen). Only a limited number is buffered for a
   * slow reader; the rest is read from the database, or reported as a gap if it has been deleted. With several processes, entries that
   * others appended shortly before this call may come first.
   */
  live(channelId: string, signal: AbortSignal): AsyncIterable<JournalEntry | Gap> {
    return this.buffered(channelId, (listener) => this.subscribeToChannel(channelId, listener), signal);
  }

  /**
   * All entries of a channel after the cursor `after`, stored and future, in order and exactly once, until `signal` aborts (which must
   * happen). Starts with a gap when entries after the cursor have been deleted. The cursor is valid for other channels too.
   *
   * @param after only future entries when it is undefined
   * @param onCurrent called whenever every entry so far has been read. The next one has not been delivered yet, so that a reader can end here and
   *   go on as a subscriber without a hole or a repeat.
   */
  async *follow(
    channelId: string,
    after: number | undefined,
    signal: AbortSignal,
    onCurrent?: () => void,
  ): AsyncGenerator<JournalEntry | Gap, void> {
    let ready = Promise.resolve();
    const live = this.buffered(
      channelId,
      (listener) => {
        const watched = this.watch(channelId, listener);
        ({ ready } = watched);
        return watched.stop;
      },
      signal,
      onCurrent,
    );
    await ready;
    let cursor = after ?? 0;
    if (after !== undefined) {
      for await (const entry of this.missed(channelId, after, this.tail)) {
        if (signal.aborted) return;
        yield entry;
        cursor = entry.type === 'gap' ? entry.to : entry.offset;
      }
    }
    for await (const entry of live) {
      if (entry.type === 'gap') {
        yield entry;
        continue;
      }
      if (entry.offset <= cursor) continue;
      cursor = entry.offset;
      yield entry;
    }
  }

  /** The stored entries after the cursor `after`, up to the offset `upTo`. */
  async *missed(channelId: string, after: number, upTo = Number.MAX_SAFE_INTEGER): AsyncGenerator<JournalEntry | Gap, void> {
    let cursor = after;
    if (cursor > upTo && cursor > (await this.head())) {
      yield { type: 'gap', from: cursor, to: upTo };
      return;
    }
    const floor = await this.floor();
    if (cursor < floor) {
      // A reader without a cursor has missed nothing.
      if (cursor > 0) yield { type: 'gap', from: cursor, to: floor };
      cursor = floor;
    }
    for (;;) {
      const page = await this.read(channelId, cursor, upTo);
      if (page.length === 0) return;
      for (const entry of page) {
        yield entry;
        cursor = entry.offset;
      }
    }
  }

  /** @param onCurrent as in `follow` */
  private buffered(
    channelId: string,
    attach: (listener: Listener) => () => void,
    signal: AbortSignal,
    onCurrent?: () => void,
  ): AsyncIterable<JournalEntry | Gap> {
    const readMissed = this.missed.bind(this);
    const entries = new EntryBuffer();
    let cursor: number | undefined;
    let newest = 0;
    let behind = false;
    let wake: () => void = () => undefined;
    const stop = attach((entry) => {
      cursor ??= entry.offset - 1;
      newest = entry.offset;
      behind ||= !entries.push(entry);
      wake();
    });
    const aborted = (): void => {
      stop();
      wake();
    };
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted, { once: true });
    return (async function* drain(): AsyncGenerator<JournalEntry | Gap, void> {
      while (!signal.aborted) {
        if (behind) {
          behind = false;
          for await (const entry of readMissed(channelId, cursor ?? 0, newest)) {
            if (signal.aborted) return;
            cursor = entry.type === 'gap' ? entry.to : entry.offset;
            yield entry;
          }
        }
        const entry = entries.shift();
        if (entry) {
          cursor = entry.offset;
          yield entry;
        } else if (!behind) {
          onCurrent?.();
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (!entries.isEmpty || behind || signal.aborted) resolve();
          });
        }
      }
    })();
  }
}
