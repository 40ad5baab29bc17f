import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock, type Cancel } from '../clock/index.js';
import { Reader, STORE, UnitOfWork, type SqlValue, type Store } from '../database/index.js';
import { Log } from '../logging/index.js';
import { entryOf } from './append.js';
import type { JournalEntry } from './events.js';
import { JOURNAL_METRICS } from './journal.metrics.js';

type Listener = (entry: JournalEntry) => void;

interface EntryRow {
  pos: number;
  channel_id: string | null;
  seq: number | null;
  type: string;
  payload: string;
  at: number;
  request_id: string | null;
}

const BATCH = 500;
// Maximum buffered entries per reader; the entries are shared between readers.
const MAX_BUFFERED = 500;
// Maximum delay when a notification of another process is lost.
const POLL_MS = 500;

/**
 * Tells a reader that the entries after its cursor, up to `to`, have been deleted. With `to` below `from`, the cursor is ahead of the
 * journal, which was restored from an earlier backup.
 */
export interface Gap {
  readonly type: 'gap';
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the journal. One loop per process follows its end and dispatches each entry to all subscribers, in order and exactly once. A reader
 * that was disconnected first gets the missed entries from the database.
 */
@Injectable()
export class Journal implements OnModuleInit, OnApplicationShutdown {
  private readonly listeners = new Set<Listener>();
  private readonly channelListeners = new Map<string, Set<Listener>>();
  private position = 0;
  /** Entries of this process that have not been dispatched yet. */
  private appended: JournalEntry[] = [];
  /** True when the database may contain entries that have not been read yet. */
  private unread = false;
  private draining = false;
  private following = false;
  private cancelPoll: Cancel = () => undefined;
  /** Other processes append to the journal, too. */
  private readonly isShared: boolean;
  private waiting: { readonly offset: number; readonly resolve: () => void }[] = [];
  private readonly log = new Log('journal');

  constructor(
    private readonly reader: Reader,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    @Inject(STORE) private readonly store: Store,
  ) {
    this.isShared = store.readSource.options.type === 'postgres';
    unitOfWork.onCommit((appended) => {
      // No spread: tens of thousands of arguments would overflow the stack.
      for (const each of appended) {
        const entry = entryOf(each);
        JOURNAL_METRICS.appended.with({ type: entry.type }).add();
        this.appended.push(entry);
      }
      this.start();
    });
  }

  async onModuleInit(): Promise<void> {
    this.position = await this.head();
    this.following = true;
    this.start();
    if (this.isShared) {
      this.store.onRemoteCommit(() => this.wake());
      this.poll();
    }
  }

  onApplicationShutdown(): void {
    this.following = false;
    this.cancelPoll();
    this.release();
  }

  /** Offset of the last dispatched entry. */
  get tail(): number {
    return this.position;
  }

  /**
   * Waits until every entry whose commit any process has acknowledged before this call is dispatched, so that what subscribers keep is as
   * new as the database.
   *
   * @returns undefined when nothing has to be waited for
   */
  caughtUp(): Promise<void> | undefined {
    if (this.isShared) return this.head().then((head) => this.dispatchedTo(head));
    return this.dispatchedTo(this.unitOfWork.committedTo);
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

  /** Calls `listener` with every further entry, in order. It must not block. @returns a function that ends the subscription */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** As `subscribe`, for one channel. */
  subscribeToChannel(channelId: string, listener: Listener): () => void {
    const set = this.channelListeners.get(channelId) ?? new Set();
    this.channelListeners.set(channelId, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.channelListeners.get(channelId) === set) this.channelListeners.delete(channelId);
    };
  }

  /** Committed entries of a channel with `after` < offset <= `upTo`, oldest first. */
  async read(channelId: string, after: number, upTo = Number.MAX_SAFE_INTEGER, limit = BATCH): Promise<JournalEntry[]> {
    return this.select('channel_id = ? AND pos > ? AND pos <= ?', [channelId, after, upTo], limit);
  }

  /**
   * Entries of a channel from this call on, in order, until `signal` aborts (which must happen). Only a limited number is buffered for a
   * slow reader; the rest is read from the database, or reported as a gap if it has been deleted.
   */
  live(channelId: string, signal: AbortSignal): AsyncIterable<JournalEntry | Gap> {
    const { readMissed, tail } = { readMissed: this.missed.bind(this), tail: () => this.tail };
    let entries: JournalEntry[] = [];
    let cursor = tail();
    let behind = false;
    let wake: () => void = () => undefined;
    const stop = this.subscribeToChannel(channelId, (entry) => {
      if (entries.length >= MAX_BUFFERED) {
        entries = [];
        behind = true;
      }
      if (!behind) entries.push(entry);
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
          for await (const entry of readMissed(channelId, cursor, tail())) {
            if (signal.aborted) return;
            cursor = entry.type === 'gap' ? entry.to : entry.offset;
            yield entry;
          }
        }
        const entry = entries.shift();
        if (entry) {
          cursor = entry.offset;
          yield entry;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (entries.length > 0 || behind || signal.aborted) resolve();
          });
        }
      }
    })();
  }

  /**
   * All entries of a channel after the cursor `after`, stored and future, in order and exactly once, until `signal` aborts (which must
   * happen). Starts with a gap when entries after the cursor have been deleted.
   */
  async *follow(channelId: string, after: number, signal: AbortSignal): AsyncGenerator<JournalEntry | Gap, void> {
    const live = this.live(channelId, signal);
    let cursor = after;
    for await (const entry of this.missed(channelId, after, this.tail)) {
      if (signal.aborted) return;
      yield entry;
      cursor = entry.type === 'gap' ? entry.to : entry.offset;
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
  async *missed(channelId: string, after: number, upTo: number): AsyncGenerator<JournalEntry | Gap, void> {
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
      for (const entry of page) {
        yield entry;
        cursor = entry.offset;
      }
      if (page.length < BATCH) return;
    }
  }

  private dispatchedTo(offset: number): Promise<void> | undefined {
    if (offset <= this.position || !this.following) return undefined;
    return new Promise((resolve) => {
      this.waiting.push({ offset, resolve });
      if (this.isShared) this.wake();
    });
  }

  /** Resumes those who wait for dispatched entries, and all when the process ends. */
  private release(): void {
    if (this.waiting.length === 0) return;
    const isDue = ({ offset }: { offset: number }): boolean => offset <= this.position || !this.following;
    const due = this.waiting.filter(isDue);
    this.waiting = this.waiting.filter((each) => !isDue(each));
    for (const { resolve } of due) resolve();
  }

  private wake(): void {
    this.unread = true;
    this.start();
  }

  private start(): void {
    if (this.following && !this.draining) void this.drain();
  }

  private async drain(): Promise<void> {
    this.draining = true;
    try {
      while ((this.unread || this.appended.length > 0) && this.following) {
        const entries = this.nextAppended() ?? (await this.nextStored());
        for (const entry of entries) {
          this.position = entry.offset;
          this.dispatch(entry);
        }
        this.release();
      }
    } catch (error) {
      if (this.following) {
        this.log.error('the journal could not be read; retrying', error);
        this.clock.after(POLL_MS, () => this.wake());
      }
    } finally {
      this.draining = false;
    }
  }

  /** Entries that this process appended, without a read, unless entries of other processes precede them. */
  private nextAppended(): JournalEntry[] | undefined {
    const entries = this.appended.filter(({ offset }) => offset > this.position);
    this.appended = [];
    const { position } = this;
    if (entries.every(({ offset }, index) => offset === position + index + 1) && !this.unread) return entries;
    this.unread = true;
    return undefined;
  }

  private async nextStored(): Promise<JournalEntry[]> {
    this.unread = false;
    const entries = await this.select('pos > ?', [this.position], BATCH);
    this.unread ||= entries.length === BATCH;
    return entries;
  }

  private dispatch(entry: JournalEntry): void {
    for (const listener of this.listeners) this.notify(listener, entry);
    if (entry.channelId === null) return;
    for (const listener of this.channelListeners.get(entry.channelId) ?? []) this.notify(listener, entry);
  }

  /** Isolates subscribers: an exception in one must not affect the others. */
  private notify(listener: Listener, entry: JournalEntry): void {
    try {
      listener(entry);
    } catch (error) {
      this.log.error('a journal subscriber failed', error, { type: entry.type, offset: entry.offset });
    }
  }

  private poll(): void {
    this.cancelPoll = this.clock.after(POLL_MS, () => {
      this.wake();
      this.poll();
    });
  }

  private async select(where: string, params: SqlValue[], limit: number): Promise<JournalEntry[]> {
    const rows = await this.reader.rows<EntryRow>(
      `SELECT pos, channel_id, seq, type, payload, at, request_id FROM journal WHERE ${where} ORDER BY pos LIMIT ${limit}`,
      params,
    );
    return rows.map(
      (row) =>
        ({
          offset: row.pos,
          channelId: row.channel_id,
          seq: row.seq,
          type: row.type,
          payload: JSON.parse(row.payload) as unknown,
          at: row.at,
          requestId: row.request_id,
        }) as JournalEntry,
    );
  }
}
