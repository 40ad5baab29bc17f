import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock, type Cancel } from '../clock/index.js';
import { Reader, STORE, UnitOfWork, type SqlValue, type Store } from '../database/index.js';
import { Log } from '../logging/index.js';
import { entryOf } from './append.js';
import type { JournalEntry } from './entries.js';

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
// Entries that wait for one reader; they are shared by all who wait for them.
const MOST_WAITING = 500;
// A missed hint from another process costs at most this.
const POLL_MS = 500;

/**
 * Says that entries between a reader's cursor and the oldest one kept are gone; or, with `to` below `from`, that the journal does not
 * reach the cursor: it was restored from an earlier copy, and what came after that is not known to the reader.
 */
export interface Gap {
  readonly type: 'gap';
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the journal. One loop per process follows its end and hands each entry, in order and once, to whoever
 * listens; a reader that was away first gets what it missed from the database.
 */
@Injectable()
export class Journal implements OnModuleInit, OnApplicationShutdown {
  private readonly listeners = new Set<Listener>();
  private readonly channelListeners = new Map<string, Set<Listener>>();
  private position = 0;
  /** What this process has appended and not handed to listeners yet. */
  private appended: JournalEntry[] = [];
  /** True when others may have appended something. */
  private again = false;
  private draining = false;
  private following = false;
  private cancelPoll: Cancel = () => undefined;
  private readonly log = new Log('journal');

  constructor(
    private readonly reader: Reader,
    private readonly clock: Clock,
    unitOfWork: UnitOfWork,
    @Inject(STORE) private readonly store: Store,
  ) {
    unitOfWork.onCommit((appended) => {
      // One by one: as arguments of a call, tens of thousands would exceed the stack.
      for (const each of appended) this.appended.push(entryOf(each));
      this.start();
    });
  }

  async onModuleInit(): Promise<void> {
    this.position = await this.head();
    this.following = true;
    this.start();
    if (this.store.reading.options.type === 'postgres') {
      this.store.onRemoteCommit(() => this.wake());
      this.poll();
    }
  }

  onApplicationShutdown(): void {
    this.following = false;
    this.cancelPoll();
  }

  /** Offset up to which entries have been handed to listeners. */
  get tail(): number {
    return this.position;
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

  /** Hears every entry of this process's view of the journal from now on, in order. Must not wait. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** As `listen`, for one channel. */
  listenToChannel(channelId: string, listener: Listener): () => void {
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
   * Entries of a channel from the moment of this call on, in order, until `signal` aborts (which must happen). Little is kept
   * for a reader that is slow: what it is too late for it gets from the database, or a gap once it is no longer there.
   */
  live(channelId: string, signal: AbortSignal): AsyncIterable<JournalEntry | Gap> {
    const { missed, tail } = { missed: this.missed.bind(this), tail: () => this.tail };
    let entries: JournalEntry[] = [];
    let cursor = tail();
    let behind = false;
    let wake: () => void = () => undefined;
    const stop = this.listenToChannel(channelId, (entry) => {
      if (entries.length >= MOST_WAITING) {
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
          for await (const entry of missed(channelId, cursor, tail())) {
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
   * Everything a channel's reader has missed since `after`, then what comes, until `signal` aborts (which must happen):
   * each entry once, in order. Begins with a gap when entries behind the cursor are no longer kept.
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

  /** What a reader with the cursor `after` has missed up to the offset `upTo`. */
  async *missed(channelId: string, after: number, upTo: number): AsyncGenerator<JournalEntry | Gap, void> {
    let cursor = after;
    if (cursor > upTo && cursor > (await this.head())) {
      yield { type: 'gap', from: cursor, to: upTo };
      return;
    }
    const floor = await this.floor();
    if (cursor < floor) {
      // Only a reader that had something before can have lost something.
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

  private wake(): void {
    this.again = true;
    this.start();
  }

  private start(): void {
    if (this.following && !this.draining) void this.drain();
  }

  private async drain(): Promise<void> {
    this.draining = true;
    try {
      while ((this.again || this.appended.length > 0) && this.following) {
        const entries = this.nextAppended() ?? (await this.nextStored());
        for (const entry of entries) {
          this.position = entry.offset;
          this.dispatch(entry);
        }
      }
    } catch (error) {
      if (this.following) {
        this.log.error('the journal could not be read; trying again', error);
        this.clock.after(POLL_MS, () => this.wake());
      }
    } finally {
      this.draining = false;
    }
  }

  /** What this process appended itself need not be read, as long as nothing of others comes before it. */
  private nextAppended(): JournalEntry[] | undefined {
    const entries = this.appended.filter(({ offset }) => offset > this.position);
    this.appended = [];
    const { position } = this;
    if (entries.every(({ offset }, index) => offset === position + index + 1) && !this.again) return entries;
    this.again = true;
    return undefined;
  }

  private async nextStored(): Promise<JournalEntry[]> {
    this.again = false;
    const entries = await this.select('pos > ?', [this.position], BATCH);
    this.again ||= entries.length === BATCH;
    return entries;
  }

  private dispatch(entry: JournalEntry): void {
    for (const listener of this.listeners) this.tell(listener, entry);
    if (entry.channelId === null) return;
    for (const listener of this.channelListeners.get(entry.channelId) ?? []) this.tell(listener, entry);
  }

  /** A listener that fails is no reason for the others not to hear of it. */
  private tell(listener: Listener, entry: JournalEntry): void {
    try {
      listener(entry);
    } catch (error) {
      this.log.error('a listener of the journal failed', error, { type: entry.type, offset: entry.offset });
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
