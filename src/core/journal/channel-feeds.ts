import type { Reader, ReadQuery, Row, SqlValue } from '../database/index.js';
import type { JournalEntry } from './events.js';
import type { ChannelSubscription } from './feed.js';
import { HintedChannels } from './hinted-channels.js';
import { BATCH, selectEntries, toEntry } from './journal-reads.js';
import { Listeners, type Listener } from './listeners.js';

const HEADS = `SELECT channel_id, pos FROM journal_heads WHERE channel_id IN (SELECT key FROM json_each(?))`;

/** How far the listeners of a channel have been notified. */
interface Cursor {
  offset: number;
  reading: boolean;
  unread: boolean;
}

/**
 * The entries of channels with listeners, on PostgreSQL. Units that append to one channel are committed one after another, so its entries
 * become visible in their order: those of this process need not be read when they follow the last one delivered.
 */
export class ChannelFeeds {
  private readonly listeners = new Listeners();
  private readonly cursors = new Map<string, Cursor>();
  private readonly hinted = new HintedChannels();
  /** The newest entry of this process by channel, as far as it exceeds `complete`: later listeners need no read up to there. */
  private readonly own = new Map<string, number>();

  constructor(
    private readonly reader: Reader,
    /** An offset that every entry which is committed from now on exceeds. */
    private readonly complete: () => number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(channelId: string, listener: Listener): ChannelSubscription {
    let cursor = this.cursors.get(channelId);
    if (!cursor) {
      // Not the channel's head: when that has been read, the listener may have appended an entry of its own, which it waits for.
      const offset = Math.max(this.complete(), this.own.get(channelId) ?? 0);
      cursor = { offset, reading: false, unread: false };
      this.cursors.set(channelId, cursor);
      this.hinted.add(channelId);
    }
    const remove = this.listeners.add(channelId, listener);
    const stop = (): void => {
      remove();
      if (this.listeners.has(channelId)) return;
      this.cursors.delete(channelId);
      this.hinted.delete(channelId);
    };
    return { from: cursor.offset, stop };
  }

  /** Entries that one unit of this process has appended to a channel. @param previous offset of the channel's entry before them */
  committed(channelId: string, entries: readonly JournalEntry[], previous: number): void {
    const newest = entries.at(-1)?.offset ?? 0;
    if (newest > Math.max(this.complete(), this.own.get(channelId) ?? 0)) this.own.set(channelId, newest);
    const cursor = this.cursors.get(channelId);
    if (!cursor) return;
    // The entries before may be of another unit of this process, which learns of its commit later, or of another process.
    if (cursor.reading || cursor.offset < previous) {
      this.read(channelId, cursor);
      return;
    }
    this.notify(channelId, cursor, entries);
  }

  /** Reads what another process may have appended, up to this offset. @param hint from `hintOf` */
  changed(hint: string, offset: number): void {
    for (const channelId of this.hinted.of(hint)) {
      const cursor = this.cursors.get(channelId);
      if (cursor && cursor.offset < offset) this.read(channelId, cursor);
    }
  }

  /** Forgets what `complete` has reached. Call it when that has risen. */
  completed(): void {
    const complete = this.complete();
    for (const [channelId, offset] of this.own) if (offset <= complete) this.own.delete(channelId);
  }

  /** The query for the newest entry of each channel, which finds what no notification has announced. */
  heads(): ReadQuery | undefined {
    if (this.cursors.size === 0) return undefined;
    return { sql: HEADS, params: [JSON.stringify(Object.fromEntries([...this.cursors.keys()].map((id) => [id, 0])))] };
  }

  /** Reads the channels that have entries later than those delivered. @param rows of `heads` */
  readFrom(rows: readonly Row[]): void {
    for (const { channel_id: channelId, pos } of rows as readonly { channel_id: string; pos: number }[]) {
      const cursor = this.cursors.get(channelId);
      if (cursor && cursor.offset < Number(pos)) this.read(channelId, cursor);
    }
  }

  private notify(channelId: string, cursor: Cursor, entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (entry.offset <= cursor.offset) continue;
      cursor.offset = entry.offset;
      this.listeners.notify(channelId, entry);
    }
  }

  private read(channelId: string, cursor: Cursor): void {
    cursor.unread = true;
    if (cursor.reading) return;
    cursor.reading = true;
    this.readAll(channelId, cursor).catch((error: unknown) => this.onFailure(error));
  }

  private async readAll(channelId: string, cursor: Cursor): Promise<void> {
    try {
      while (cursor.unread && this.cursors.get(channelId) === cursor) {
        cursor.unread = false;
        const { sql, params } = selectEntries('channel_id = ? AND pos > ?', [channelId, cursor.offset]);
        const entries = (await this.rows(sql, params)).map(toEntry);
        cursor.unread ||= entries.length === BATCH;
        this.notify(channelId, cursor, entries);
      }
    } finally {
      // Without a pause after the last check, in which a change would go unread.
      cursor.reading = false;
    }
  }

  /** By itself, so that it never waits behind another query. */
  private async rows(sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    const [rows] = await this.reader.inOrder([{ sql, params }]);
    return rows ?? [];
  }
}
