import type { Cancel, Clock } from '../clock/index.js';
import { ANYTHING, EVERYWHERE, readHint, type AppendedEntry, type Notifier, type Reader } from '../database/index.js';
import { Log } from '../logging/index.js';
import { entryOf } from './append.js';
import { ChannelFeeds } from './channel-feeds.js';
import type { JournalEntry } from './events.js';
import type { ChannelSubscription, Feed } from './feed.js';
import { completeUpTo, drawnUpTo, HORIZON, type HorizonRow } from './horizon.js';
import { BATCH, selectEntries, toEntry } from './journal-reads.js';
import { Listeners, type Listener } from './listeners.js';
import { DeliveredOffsets } from './delivered-offsets.js';

const ALL = 'all';
/** Longest delay when a notification is lost. */
const POLL_MS = 1000;
/** The same while no notification arrives. */
const BLIND_POLL_MS = 100;

/**
 * The feed of one of several processes, on PostgreSQL. One loop reads what every process reads, in the order of the offsets, up to where no
 * transaction can add any (docs/decisions/0040). Listeners of one channel need not wait for that.
 */
export class SharedFeed implements Feed {
  private position = 0;
  /** The newest offset that has been drawn. */
  private drawn = 0;
  private wanted = false;
  /** Whether the next read looks at the heads of all channels with listeners. */
  private headsWanted = false;
  private reading = false;
  private following = false;
  private cancelPoll: Cancel = () => undefined;
  private readonly everyone = new Listeners();
  /** Own entries that every process reads. They have been delivered when they were committed. */
  private readonly own = new Set<number>();
  private readonly channels: ChannelFeeds;
  private readonly waiting: DeliveredOffsets;
  private boundary: (() => void)[] = [];
  private readonly log = new Log('journal');

  constructor(
    private readonly reader: Reader,
    private readonly clock: Clock,
    private readonly notifier: Notifier,
  ) {
    this.waiting = new DeliveredOffsets(clock);
    this.channels = new ChannelFeeds(
      reader,
      () => this.position,
      (error) => this.failed(error),
    );
  }

  get tail(): number {
    return this.position;
  }

  async start(): Promise<void> {
    const [horizon] = await this.reader.rows<HorizonRow>(HORIZON);
    this.position = completeUpTo(horizon);
    this.following = true;
    this.notifier.listen((hints) => this.onHints(hints));
    this.poll();
    this.wake();
  }

  stop(): void {
    this.following = false;
    this.cancelPoll();
    this.waiting.release(Number.POSITIVE_INFINITY);
    this.passBoundary();
  }

  committed(appended: readonly AppendedEntry[]): void {
    this.notifier.notify(appended);
    const ofChannels = new Map<string, { entries: JournalEntry[]; previous: number }>();
    for (const each of appended) {
      const entry = entryOf(each);
      const everywhere = entry.channelId === null || each.statement.journal?.everywhere === true;
      // The loop may have read the entry before this process learned of its own commit.
      const alreadyDelivered = everywhere && entry.offset <= this.position;
      if (everywhere && !alreadyDelivered) this.own.add(entry.offset);
      if (everywhere) this.wake();
      if (!alreadyDelivered) this.everyone.notify(ALL, entry);
      if (entry.channelId === null) continue;
      const known = ofChannels.get(entry.channelId);
      if (known) known.entries.push(entry);
      else ofChannels.set(entry.channelId, { entries: [entry], previous: each.position.previous ?? 0 });
    }
    for (const [channelId, { entries, previous }] of ofChannels) this.channels.committed(channelId, entries, previous);
  }

  onEntry(listener: Listener): () => void {
    return this.everyone.add(ALL, listener);
  }

  onChannel(channelId: string, listener: Listener): ChannelSubscription {
    return this.channels.add(channelId, listener);
  }

  delivered(offset: number, withinMs?: number): Promise<void> | undefined {
    if (offset <= this.position || !this.following) return undefined;
    const delivered = this.waiting.wait(offset, withinMs);
    this.wake();
    return delivered;
  }

  async present(): Promise<number> {
    const { reading } = this;
    this.wake();
    await this.readEnd();
    // The read that was under way may have begun before the newest commit.
    if (reading) await this.readEnd();
    return this.position;
  }

  async catchUp(): Promise<void> {
    const [row] = await this.reader.rows<{ head: number | null }>('SELECT max(pos) AS head FROM journal WHERE shard = -1');
    await this.delivered(Number(row?.head ?? 0));
  }

  private onHints(hints: readonly string[]): void {
    if (hints.includes(ANYTHING)) {
      this.lookForAll();
      return;
    }
    for (const { hint, offset } of hints.map(readHint)) {
      if (offset > this.position && hint === EVERYWHERE) this.wake();
      this.channels.changed(hint, offset);
    }
  }

  /** Reads all that no notification has announced. */
  private lookForAll(): void {
    this.headsWanted = true;
    this.wake();
  }

  private wake(): void {
    this.wanted = true;
    if (this.following && !this.reading) void this.readAll();
  }

  private async readAll(): Promise<void> {
    this.reading = true;
    try {
      while (this.wanted && this.following) {
        this.wanted = false;
        await this.readOnce();
        this.waiting.release(this.position);
        this.passBoundary();
        // A transaction still holds up the entries that are waited for.
        if (this.waiting.anyUpTo(this.drawn)) this.wanted = true;
      }
    } catch (error) {
      this.failed(error);
    } finally {
      this.reading = false;
      this.passBoundary();
    }
  }

  private async readOnce(): Promise<void> {
    const entries = selectEntries('pos > ? AND shard = -1', [this.position]);
    const heads = this.headsWanted ? this.channels.heads() : undefined;
    this.headsWanted = false;
    const [horizon = [], rows = [], found = []] = await this.reader.inOrder([
      { sql: HORIZON, params: [] },
      entries,
      ...(heads ? [heads] : []),
    ]);
    this.channels.readFrom(found);
    const complete = completeUpTo(horizon[0] as HorizonRow | undefined);
    this.drawn = drawnUpTo(horizon[0] as HorizonRow | undefined);
    const readable = rows.filter((row) => Number(row['pos']) <= complete);
    for (const row of readable) {
      this.position = Number(row['pos']);
      this.notify(toEntry(row));
    }
    if (readable.length === BATCH) this.wanted = true;
    else this.position = Math.max(this.position, complete);
    for (const offset of this.own) if (offset <= this.position) this.own.delete(offset);
    this.channels.completed();
  }

  private notify(entry: JournalEntry): void {
    if (!this.own.has(entry.offset)) this.everyone.notify(ALL, entry);
  }

  /** Resolves when the read that is under way has ended. */
  private readEnd(): Promise<void> {
    return this.reading ? new Promise((resolve) => this.boundary.push(resolve)) : Promise.resolve();
  }

  private passBoundary(): void {
    for (const resolve of this.boundary.splice(0)) resolve();
  }

  private failed(error: unknown): void {
    if (!this.following) return;
    this.log.error('the journal could not be read; retrying', error);
    this.clock.after(POLL_MS, () => this.onHints([ANYTHING]));
  }

  private poll(): void {
    const pause = this.notifier.state === 'connected' ? POLL_MS : BLIND_POLL_MS;
    this.cancelPoll = this.clock.after(pause, () => {
      this.lookForAll();
      void this.readEnd().finally(() => {
        if (this.following) this.poll();
      });
    });
  }
}
