import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PeriodicTask, SystemClock } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { announce, ANNOUNCE_MS, STORE, type Store } from '../database/index.js';
import { Log } from '../logging/index.js';

/** Announces the version of this server in a PostgreSQL database, so that a later one leaves it the schema that it needs. */
@Injectable()
export class VersionAnnouncement implements OnModuleInit, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;
  private readonly log = new Log('upgrade');
  private failing = false;

  constructor(
    @Inject(STORE) private readonly store: Pick<Store, 'readSource'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'version'>,
  ) {
    this.task = new PeriodicTask(
      new SystemClock(),
      ANNOUNCE_MS,
      () => this.announce(),
      (error) => this.onFailure(error),
    );
  }

  async onModuleInit(): Promise<void> {
    if (this.store.readSource.options.type !== 'postgres') return;
    await this.announce();
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async announce(): Promise<void> {
    await announce(this.store.readSource, this.config.version);
    this.failing = false;
  }

  private onFailure(error: unknown): void {
    if (!this.failing) this.log.warn('the version of this server cannot be announced; retrying', { error: String(error) });
    this.failing = true;
  }
}
