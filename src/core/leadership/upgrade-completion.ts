import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PeriodicTask, SystemClock } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { STORE, type Store } from '../database/index.js';
import { Log } from '../logging/index.js';
import { Leadership } from './leadership.js';

const CHECK_MS = 1000;
/** Each attempt holds up writers for a moment; a long transaction, such as a backup, may stand in the way of many. */
const LONGEST_PAUSE_MS = 60_000;

/** Completes an upgrade on the leader, once the servers of the previous version are gone. The other processes learn of it. */
@Injectable()
export class UpgradeCompletion implements OnModuleInit, BeforeApplicationShutdown {
  private readonly check: PeriodicTask;
  private readonly log = new Log('upgrade');
  private failures = 0;
  /** Monotonic ms. */
  private retryAt = 0;

  constructor(
    @Inject(STORE) private readonly store: Pick<Store, 'pendingUpgrade'>,
    private readonly leadership: Leadership,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.check = new PeriodicTask(
      new SystemClock(),
      CHECK_MS,
      () => this.advance(),
      (error) => this.onFailure(error),
    );
  }

  onModuleInit(): void {
    if (this.store.pendingUpgrade) this.check.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.check.stop();
  }

  private async advance(): Promise<void> {
    const upgrade = this.store.pendingUpgrade;
    await upgrade?.refresh();
    if (this.leadership.isLeader && performance.now() >= this.retryAt) {
      await upgrade?.completeAfter(this.config.upgradeRollbackMinutes * 60_000);
      this.failures = 0;
    }
    if (upgrade?.isPending === false) void this.check.stop();
  }

  private onFailure(error: unknown): void {
    if (this.failures === 0) this.log.warn('the upgrade cannot be completed yet; retrying', { error: String(error) });
    this.failures += 1;
    this.retryAt = performance.now() + Math.min(LONGEST_PAUSE_MS, CHECK_MS * 2 ** this.failures);
  }
}
