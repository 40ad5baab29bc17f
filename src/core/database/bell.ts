import { Client } from 'pg';
import { Repetition, SystemClock } from '../clock/index.js';
import { Log } from '../logging/index.js';
import { JOURNAL_CHANNEL } from './postgres-engine.js';

const REPAIR_MS = 1000;

/** Rings when any process has committed to the journal. A connection that breaks is opened again. */
export class Bell {
  private client: Client | undefined;
  private readonly repair: Repetition;
  private readonly log = new Log('database');

  constructor(
    private readonly databaseUrl: string,
    private readonly ring: () => void,
  ) {
    this.repair = new Repetition(
      new SystemClock(),
      REPAIR_MS,
      async () => {
        if (!this.client) await this.hang();
      },
      // Meanwhile the journal is read at short intervals.
      (error) =>
        this.log.warn('the connection by which processes wake each other cannot be opened; trying again', { error: String(error) }),
    );
  }

  /** @throws what the connection fails with */
  async open(): Promise<void> {
    await this.hang();
    this.repair.start();
  }

  async close(): Promise<void> {
    await this.repair.stop();
    await this.client?.end();
  }

  private async hang(): Promise<void> {
    const client = new Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    client.on('notification', this.ring);
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
    this.ring();
  }
}
