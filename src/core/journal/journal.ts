import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { Reader, STORE, UnitOfWork, type Row, type Store } from '../database/index.js';
import { ChannelItems, type ChannelItemsOptions, type Gap } from './channel-items.js';
import type { JournalEntry, JournalType } from './events.js';
import type { ChannelSubscription, Feed } from './feed.js';
import { BATCH, ENTRY_COLUMNS, toEntry } from './journal-reads.js';
import { JOURNAL_METRICS } from './journal.metrics.js';
import type { Listener } from './listeners.js';
import { LocalFeed } from './local-feed.js';
import { Pieces, type Piece, type PieceTransport } from './pieces.js';
import { SharedFeed } from './shared-feed.js';

/** Reads the journal: its stored entries, and those that are being committed. */
@Injectable()
export class Journal implements OnModuleInit, OnApplicationShutdown {
  private readonly feed: Feed;
  private readonly pieces = new Pieces();

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

  /** Offset up to which what every process reads has been delivered. A client that keeps it as its cursor misses no later entry. */
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
    return this.feed.onChannel(channelId, listener).stop;
  }

  /** As `subscribeToChannel`, with the pieces of entries that are told before they are stored. */
  subscribeToItems(channelId: string, listener: (item: JournalEntry | Piece) => void): ChannelSubscription {
    const entries = this.feed.onChannel(channelId, listener);
    const stopPieces = this.pieces.listen(channelId, listener);
    const stop = (): void => {
      entries.stop();
      stopPieces();
    };
    return { from: entries.from, stop };
  }

  /** Has pieces carried to and from other processes. To be called before the first reader. */
  carryPieces(transport: PieceTransport): void {
    this.pieces.carryBy(transport);
  }

  /** Tells the readers of a channel a part of an entry before it is stored. Only the holder of the turn's lease may call it. */
  tell(piece: Piece): void {
    this.pieces.tell(piece);
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

  /** The newest entry of a channel up to an offset that has one of some types. */
  async newestOf(channelId: string, types: readonly JournalType[], upTo: number): Promise<JournalEntry | undefined> {
    const [row] = await this.reader.rows<Row>(
      `SELECT ${ENTRY_COLUMNS} FROM journal WHERE channel_id = ? AND pos <= ? AND type IN (${types.map(() => '?').join(', ')})
        ORDER BY pos DESC LIMIT 1`,
      [channelId, upTo, ...types],
    );
    return row && toEntry(row);
  }

  /** What comes in a channel from this call on. With several processes, entries that others appended shortly before may come first. */
  live(channelId: string, signal: AbortSignal): ChannelItems {
    return this.items(channelId, { signal });
  }

  /**
   * All entries of a channel after the cursor `after`, stored and future, exactly once, and pieces of future ones. Starts with a gap when
   * entries after the cursor have been deleted.
   *
   * @param after     from `from` on when it is undefined
   * @param onCurrent as in `ChannelItemsOptions`
   */
  follow(channelId: string, after: number | undefined, signal: AbortSignal, onCurrent?: () => void): ChannelItems {
    return this.items(channelId, { after, signal, onCurrent });
  }

  private items(channelId: string, options: ChannelItemsOptions): ChannelItems {
    const source = {
      subscribe: (listener: (item: JournalEntry | Piece) => void) => this.subscribeToItems(channelId, listener),
      missed: (after: number, upTo: number) => this.missed(channelId, after, upTo),
    };
    return new ChannelItems(source, options);
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
}
