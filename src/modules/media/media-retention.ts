import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, PeriodicTask } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { engineOf } from '../../core/database/index.js';
import { InstallationIds } from '../../core/ids/index.js';
import { Journal } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { Retention, type RetentionSweep } from '../../core/retention/index.js';
import { Contents, FileStorage } from '../../providers/storage/index.js';
import { MediaService } from './media.service.js';

const SOON_MS = 1000;
const PAGE = 500;
const LEFTOVERS_MS = 60 * 60_000;

/** Deletes unreferenced files, shortly after a deletion and every ten minutes, and what other processes left when they were killed. */
@Injectable()
export class MediaRetention implements RetentionSweep, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly removes = 'files';
  readonly everyMs = 10 * 60_000;
  private readonly stopping = new AbortController();
  private cleaning: Promise<void> = Promise.resolve();
  private readonly log = new Log('media');
  // In every process: each has uploads on its own disk.
  private readonly leftovers: PeriodicTask;

  constructor(
    private readonly media: MediaService,
    private readonly storage: FileStorage,
    private readonly contents: Contents,
    private readonly journal: Journal,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    private readonly retention: Retention,
    private readonly ids: InstallationIds,
  ) {
    this.leftovers = new PeriodicTask(
      clock,
      LEFTOVERS_MS,
      () => storage.removeLeftovers(false),
      (error) => this.log.error('what unfinished uploads left could not be deleted; retrying', error),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.storage.claim(this.ids.of('storage', []));
    await this.storage.removeLeftovers(engineOf(this.config.databaseUrl) === 'sqlite');
    this.leftovers.start();
    this.journal.subscribe(({ type }) => {
      if (type === 'message.deleted' || type === 'channel.cleared' || type === 'channel.deleted') this.retention.runSoon(this, SOON_MS);
    });
    this.cleaning = this.removeOrphans(this.stopping.signal).catch((error: unknown) => {
      this.log.error('deleting orphaned contents failed; the next start retries it', error);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.leftovers.stop();
    await this.cleaning;
  }

  async sweep(stopping?: AbortSignal): Promise<void> {
    const sentBefore = this.clock.now() - this.config.mediaUnusedHours * 3_600_000;
    while (!stopping?.aborted && (await this.media.removeUnused(sentBefore, PAGE)));
  }

  /** Deletes contents without a row, which a crash between the two writes leaves behind. */
  private async removeOrphans(stopping: AbortSignal): Promise<void> {
    let page: string[] = [];
    const removePage = async (): Promise<void> => {
      const removed = page.length === 0 ? 0 : await this.contents.removeUnused(page);
      if (removed > 0) this.log.info('orphaned contents deleted', { removed });
      page = [];
    };
    for await (const hash of this.storage.hashes()) {
      if (stopping.aborted) return;
      page.push(hash);
      if (page.length === PAGE) await removePage();
    }
    await removePage();
  }
}
