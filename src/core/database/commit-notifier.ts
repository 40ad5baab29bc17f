import type { Client } from 'pg';
import { PeriodicTask, SystemClock } from '../clock/index.js';
import { Log } from '../logging/index.js';
import { JOURNAL_CHANNEL } from './postgres-engine.js';

const REPAIR_MS = 1000;

/** Calls `notify` when any process has committed journal entries (LISTEN and NOTIFY of PostgreSQL). Reopens a broken connection. */
export class CommitNotifier {
  private client: Client | undefined;
  private readonly repair: PeriodicTask;
  private readonly log = new Log('database');

  constructor(
    private readonly databaseUrl: string,
    private readonly notify: () => void,
  ) {
    this.repair = new PeriodicTask(
      new SystemClock(),
      REPAIR_MS,
      async () => {
        if (!this.client) await this.listen();
      },
      // Until it succeeds, the journal falls back to polling.
      (error) => this.log.warn('the notification connection cannot be opened; retrying', { error: String(error) }),
    );
  }

  /** @throws the error of the connection */
  async open(): Promise<void> {
    await this.listen();
    this.repair.start();
  }

  async close(): Promise<void> {
    await this.repair.stop();
    await this.client?.end();
  }

  private async listen(): Promise<void> {
    // Loaded here, because a server on SQLite does not need it.
    const { Client } = await import('pg');
    const client = new Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    client.on('notification', this.notify);
    client.on('end', () => {
      if (this.client === client) this.client = undefined;
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${JOURNAL_CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.client = client;
    this.notify();
  }
}
