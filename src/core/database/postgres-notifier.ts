import { randomUUID } from 'node:crypto';
import type { Client, Pool } from 'pg';
import { PeriodicTask, SystemClock } from '../clock/index.js';
import { Log } from '../logging/index.js';
import { Hints } from './hints.js';
import { ANYTHING, type Notifier, type NotifierState } from './notifier.js';
import { numberPlaceholders } from './sql-text.js';
import type { AppendedEntry, ReadQuery } from './statement.js';

/** LISTEN/NOTIFY channel. Its payload is the sender and its hints: `sender hint hint …`. */
const CHANNEL = 'parley_commits';

const CHECK_MS = 1000;
/** An idle process sends itself a notification to learn whether any would arrive. */
const SILENCE_MS = 5000;
const RESPONSE_MS = 2000;
// Without waiting for the disk: a notification that is lost in a crash costs a poll. Notifying transactions are committed one after another.
const NOTIFY = `set_config('synchronous_commit', 'off', true), pg_notify(?, ?)`;

const UNHEARD = 'notifications do not pass the pooler in front of PostgreSQL; the journal is polled instead';
const REMEDY = 'set EVENTS_URL=nats://… on all servers, or let DATABASE_URL go directly to PostgreSQL';

/**
 * LISTEN and NOTIFY of PostgreSQL. Reopens a broken connection. Behind a pooler it sends only: LISTEN would belong to a connection that
 * other clients use next.
 */
export class PostgresNotifier implements Notifier {
  private readonly sender = randomUUID().slice(-8);
  private readonly hints = new Hints(() => this.send());
  private readonly check: PeriodicTask;
  private readonly log = new Log('database');
  private client: Client | undefined;
  /** When the last own notification arrived, and the first one without a response was sent; monotonic ms. */
  private heardAt = 0;
  private askedAt: number | undefined;
  private unheard: boolean;

  constructor(
    private readonly databaseUrl: string,
    private readonly pool: Pool,
    private readonly behindPooler: boolean,
  ) {
    this.unheard = behindPooler;
    this.check = new PeriodicTask(
      new SystemClock(),
      CHECK_MS,
      () => this.repair(),
      // Until it succeeds, the journal falls back to polling.
      (error) => this.log.warn('the notification connection cannot be opened; retrying', { error: String(error) }),
    );
  }

  get state(): NotifierState {
    if (!this.client && !this.behindPooler) return 'broken';
    return this.unheard ? 'unheard' : 'connected';
  }

  get advice(): string | undefined {
    return this.state === 'unheard' ? `${UNHEARD}: ${REMEDY}` : undefined;
  }

  listen(listener: (hints: readonly string[]) => void): void {
    this.hints.listen(listener);
  }

  async open(): Promise<void> {
    if (this.behindPooler) {
      this.warn();
      return;
    }
    await this.connect();
    this.check.start();
  }

  notify(appended: readonly AppendedEntry[]): void {
    this.hints.gather(appended);
  }

  take(waitedMs: number): ReadQuery | undefined {
    return this.hints.haveWaited(waitedMs) ? this.notification() : undefined;
  }

  async close(): Promise<void> {
    this.hints.stop();
    await this.check.stop();
    await this.client?.end();
  }

  private notification(): ReadQuery {
    this.askedAt ??= performance.now();
    return { sql: NOTIFY, params: [CHANNEL, [this.sender, ...this.hints.take()].join(' ')] };
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
    const isUnheard = this.askedAt !== undefined && now - this.askedAt > RESPONSE_MS;
    if (isUnheard !== this.unheard) {
      this.unheard = isUnheard;
      if (isUnheard) this.warn();
      else this.log.info('notifications arrive again');
    }
    if (now - this.heardAt > SILENCE_MS) this.send();
  }

  private warn(): void {
    this.log.warn(UNHEARD, { remedy: REMEDY });
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
    this.hints.notify([ANYTHING]);
  }

  private receive(payload: string): void {
    const [sender, ...hints] = payload.split(' ');
    if (sender !== this.sender) {
      this.hints.notify(hints);
      return;
    }
    this.heardAt = performance.now();
    this.askedAt = undefined;
  }
}
