import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PeriodicTask, SystemClock } from '../clock/index.js';
import { STORE, type Store } from '../database/index.js';
import { Log } from '../logging/index.js';
import { Leadership } from './leadership.js';

const CHECK_MS = 3000;

const GROWN = `SELECT quote_ident(relname) AS name FROM pg_stat_user_tables
  WHERE schemaname = current_schema() AND n_mod_since_analyze > greatest(200, n_live_tup / 2)`;

/**
 * Has PostgreSQL analyze tables that have doubled since it last did. Statements are planned once for each connection, and the plans for
 * tables that were empty then read all memories of an agent for each turn. Autovacuum finds such a table only after a minute or more.
 */
@Injectable()
export class TableStatistics implements OnModuleInit, BeforeApplicationShutdown {
  private readonly check: PeriodicTask;

  constructor(
    private readonly leadership: Leadership,
    @Inject(STORE) private readonly store: Pick<Store, 'readSource'>,
  ) {
    const log = new Log('database');
    this.check = new PeriodicTask(
      new SystemClock(),
      CHECK_MS,
      () => this.analyzeGrown(),
      (error) => log.warn('tables that have grown could not be analyzed; autovacuum does it later', { error: String(error) }),
    );
  }

  onModuleInit(): void {
    if (this.leadership.isShared) this.check.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.check.stop();
  }

  private async analyzeGrown(): Promise<void> {
    if (!this.leadership.isLeader) return;
    const tables = await this.store.readSource.query<{ name: string }[]>(GROWN);
    // One that is being analyzed or changed need not be waited for.
    if (tables.length > 0) await this.store.readSource.query(`ANALYZE (SKIP_LOCKED) ${tables.map(({ name }) => name).join(', ')}`);
  }
}
