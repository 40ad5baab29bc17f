import { randomUUID } from 'node:crypto';
import type { Client, Pool } from 'pg';
import { PeriodicTask, SystemClock, type Cancel } from '../clock/index.js';
import { Log } from '../logging/index.js';
import { numberPlaceholders } from './sql-text.js';
import type { AppendedEntry, ReadQuery } from './statement.js';

/** LISTEN/NOTIFY channel. Its payload is the sender and its hints: `sender hint hint …`. */
const CHANNEL = 'parley_commits';
/** Hint for entries that every process reads. */
export const EVERYWHERE = '*';
/** Hint after which anything may have been missed. */
export const ANYTHING = '';

const CHECK_MS = 1000;
/** An idle process sends itself a notification to learn whether any would arrive. */
const SILENCE_MS = 5000;
const ANSWER_MS = 2000;
// PostgreSQL limits a payload to 8000 bytes.
const MAX_HINTS = 800;
// Notifications that are sent together with the next; a reader elsewhere waits no longer than that.
const GATHER_MS = 8;
// Without waiting for the disk: a notification that is lost in a crash costs a poll. Notifying transactions are committed one after another.
const NOTIFY = `set_config('synchronous_commit', 'off', true), pg_notify(?, ?)`;

export type NotifierState = 'connected' | 'unheard' | 'broken';

/** The hint for an entry: its readers on other processes compare it with their channels. */
export function hintOf(channelId: string | null, everywhere: boolean): string {
  return channelId === null || everywhere ? EVERYWHERE : channelId.slice(-8).toLowerCase();
}

/** Tells the other processes in which channels this one has appended entries. A lost notification costs them a poll, nothing else. */
export interface Notifier {
  readonly state: NotifierState;
  /** Calls `listener` with the hints of other processes. */
  listen(listener: (hints: readonly string[]) => void): void;
  /** @throws the error of the connection */
  open(): Promise<void>;
  notify(appended: readonly AppendedEntry[]): void;
  /**
   * Takes over the notifications that are about to be sent.
   *
   * @returns columns for a query that sends them instead; undefined when there are none
   */
  take(): ReadQuery | undefined;
  close(): Promise<void>;
}

/** LISTEN and NOTIFY of PostgreSQL. Reopens a broken connection, and notices a pooler that does not pass notifications on. */
export class PostgresNotifier implements Notifier {
  private readonly sender = randomUUID().slice(-8);
  private readonly listeners = new Set<(hints: readonly string[]) => void>();
  private readonly check: PeriodicTask;
  private readonly log = new Log('database');
  private client: Client | undefined;
  private gathered = new Set<string>();
  private cancelSending: Cancel | undefined;
  private readonly clock = new SystemClock();
  /** When the last own notification arrived, and the first unanswered one was sent; monotonic ms. */
  private heardAt = 0;
  private askedAt: number | undefined;
  private unheard = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly pool: Pool,
  ) {
    this.check = new PeriodicTask(
      this.clock,
      CHECK_MS,
      () => this.repair(),
      // Until it succeeds, the journal falls back to polling.
      (error) => this.log.warn('the notification connection cannot be opened; retrying', { error: String(error) }),
    );
  }

  get state(): NotifierState {
    if (!this.client) return 'broken';
    return this.unheard ? 'unheard' : 'connected';
  }

  listen(listener: (hints: readonly string[]) => void): void {
    this.listeners.add(listener);
  }

  async open(): Promise<void> {
    await this.connect();
    this.check.start();
  }

  notify(appended: readonly AppendedEntry[]): void {
    for (const { statement } of appended) {
      const { channelId = null, everywhere = false } = statement.journal ?? {};
      this.gathered.add(hintOf(channelId, everywhere));
    }
    this.cancelSending ??= this.clock.after(GATHER_MS, () => this.send());
  }

  take(): ReadQuery | undefined {
    return this.cancelSending === undefined ? undefined : this.notification();
  }

  async close(): Promise<void> {
    this.cancelSending?.();
    await this.check.stop();
    await this.client?.end();
  }

  private notification(): ReadQuery {
    this.cancelSending?.();
    this.cancelSending = undefined;
    const hints = [...this.gathered];
    this.gathered = new Set();
    const told = hints.length > MAX_HINTS ? [ANYTHING] : hints;
    this.askedAt ??= performance.now();
    return { sql: NOTIFY, params: [CHANNEL, [this.sender, ...told].join(' ')] };
  }

  private send(): void {
    const { sql, params } = this.notification();
    this.pool.query(numberPlaceholders(`SELECT ${sql}`), [...params]).catch(() => {
      // The database cannot be reached, so nothing can be said about notifications.
      this.askedAt = undefined;
    });
  }

  private async repair(): Promise<void> {
    if (!this.client) await this.connect();
    const now = performance.now();
    const isUnheard = this.askedAt !== undefined && now - this.askedAt > ANSWER_MS;
    if (isUnheard !== this.unheard) {
      this.unheard = isUnheard;
      if (isUnheard) {
        this.log.warn('notifications do not arrive, probably because of a pooler in transaction mode; the journal is polled instead', {
          remedy: 'set EVENTS_URL=nats://…, or let DATABASE_URL go directly to PostgreSQL',
        });
      } else this.log.info('notifications arrive again');
    }
    if (now - this.heardAt > SILENCE_MS) this.send();
  }

  private async connect(): Promise<void> {
    // Loaded here, because a server on SQLite does not need it.
    const { Client } = await import('pg');
    const client = new Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.receive(payload));
    client.on('end', () => {
      if (this.client === client) this.client = undefined;
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.client = client;
    this.tell([ANYTHING]);
  }

  private receive(payload: string): void {
    const [sender, ...hints] = payload.split(' ');
    if (sender !== this.sender) {
      this.tell(hints);
      return;
    }
    this.heardAt = performance.now();
    this.askedAt = undefined;
  }

  private tell(hints: readonly string[]): void {
    for (const listener of this.listeners) listener(hints);
  }
}
