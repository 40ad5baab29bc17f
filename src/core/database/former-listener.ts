import type { Client } from 'pg';
import { PeriodicTask, SystemClock } from '../clock/index.js';
import { Log } from '../logging/index.js';
import { FORMER_CHANNEL, MixedFleet } from './mixed-fleet.js';

const REPAIR_MS = 1000;

/** Hears that a process of the former version has appended to the journal. While its connection is lost, the journal is polled as usual. */
export class FormerListener {
  private client: Client | undefined;
  private readonly repair: PeriodicTask;

  constructor(
    private readonly databaseUrl: string,
    private readonly heard: () => void,
  ) {
    const log = new Log('database');
    this.repair = new PeriodicTask(
      new SystemClock(),
      REPAIR_MS,
      async () => {
        if (!this.client) await this.connect();
      },
      (error) => log.warn('the connection for notifications of the former version cannot be opened; retrying', { error: String(error) }),
    );
  }

  /** @throws the error of the connection */
  async open(): Promise<void> {
    await this.connect();
    this.repair.start();
  }

  async close(): Promise<void> {
    await this.repair.stop();
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const { Client } = await import('pg');
    const client = new Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => {
      if (MixedFleet.isOfFormer(payload)) this.heard();
    });
    client.on('end', () => {
      if (this.client === client) this.client = undefined;
    });
    try {
      await client.connect();
      // In quotes, because a process of the former version is known by this query without them.
      await client.query(`LISTEN "${FORMER_CHANNEL}"`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.client = client;
    this.heard();
  }
}
