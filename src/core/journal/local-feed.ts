import type { Clock } from '../clock/index.js';
import type { AppendedEntry, Reader, UnitOfWork } from '../database/index.js';
import { Log } from '../logging/index.js';
import { entryOf } from './append.js';
import type { JournalEntry } from './events.js';
import type { ChannelSubscription, Feed } from './feed.js';
import { BATCH, selectEntries, toEntry } from './journal-reads.js';
import { Listeners, type Listener } from './listeners.js';
import { DeliveredOffsets } from './delivered-offsets.js';

const ALL = '';
const RETRY_MS = 500;

/** The feed of the only process of a database: all entries are its own, and their offsets are adjacent. */
export class LocalFeed implements Feed {
  private position = 0;
  /** Entries that have not been delivered yet. */
  private appended: JournalEntry[] = [];
  /** True when the database may contain entries that have not been read yet. */
  private unread = false;
  private draining = false;
  private following = false;
  private readonly listeners = new Listeners();
  private readonly waiting: DeliveredOffsets;
  private readonly log = new Log('journal');

  constructor(
    private readonly reader: Reader,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.waiting = new DeliveredOffsets(clock);
  }

  get tail(): number {
    return this.position;
  }

  async start(): Promise<void> {
    const [row] = await this.reader.rows<{ head: number | null }>('SELECT max(pos) AS head FROM journal');
    this.position = row?.head ?? 0;
    this.following = true;
    this.drainUnlessRunning();
  }

  stop(): void {
    this.following = false;
    this.waiting.release(Number.POSITIVE_INFINITY);
  }

  committed(appended: readonly AppendedEntry[]): void {
    // No spread: tens of thousands of arguments would overflow the stack.
    for (const each of appended) this.appended.push(entryOf(each));
    this.drainUnlessRunning();
  }

  onEntry(listener: Listener): () => void {
    return this.listeners.add(ALL, listener);
  }

  onChannel(channelId: string, listener: Listener): ChannelSubscription {
    return { from: this.position, stop: this.listeners.add(channelId, listener) };
  }

  delivered(offset: number, withinMs?: number): Promise<void> | undefined {
    return offset <= this.position || !this.following ? undefined : this.waiting.wait(offset, withinMs);
  }

  present(): number {
    return this.position;
  }

  catchUp(): Promise<void> | undefined {
    return this.delivered(this.unitOfWork.committedTo);
  }

  private drainUnlessRunning(): void {
    if (this.following && !this.draining) void this.drain();
  }

  private async drain(): Promise<void> {
    this.draining = true;
    try {
      while ((this.unread || this.appended.length > 0) && this.following) {
        const entries = this.nextAppended() ?? (await this.nextStored());
        for (const entry of entries) {
          this.position = entry.offset;
          this.listeners.notify(ALL, entry);
          if (entry.channelId !== null) this.listeners.notify(entry.channelId, entry);
        }
        this.waiting.release(this.position);
      }
    } catch (error) {
      if (this.following) {
        this.log.error('the journal could not be read; retrying', error);
        this.clock.after(RETRY_MS, () => {
          this.unread = true;
          this.drainUnlessRunning();
        });
      }
    } finally {
      this.draining = false;
    }
  }

  /** The appended entries, without a read, unless one is missing before them. */
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
    const { sql, params } = selectEntries('pos > ?', [this.position]);
    const entries = (await this.reader.rows(sql, params)).map(toEntry);
    this.unread ||= entries.length === BATCH;
    return entries;
  }
}
