import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, type Cancel } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { engineOf } from '../../core/database/index.js';
import { Journal } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { BlobStore } from './blob-store.js';
import { MediaService } from './media.service.js';

const INTERVAL_MS = 10 * 60_000;
const SOON_MS = 1000;
const PAGE = 500;

/** Removes files that nothing refers to any more: soon after something was deleted, and now and then. */
@Injectable()
export class MediaSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private cancel: Cancel = () => undefined;
  private working: Promise<void> = Promise.resolve();
  private stopped = false;
  private soon = false;
  private readonly log = new Log('media');

  constructor(
    private readonly media: MediaService,
    private readonly blobs: BlobStore,
    private readonly journal: Journal,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.blobs.removeLeftovers(engineOf(this.config.databaseUrl) === 'sqlite');
    this.journal.listen(({ type }) => {
      if (type === 'message.deleted' || type === 'channel.cleared' || type === 'channel.deleted') this.schedule(SOON_MS);
    });
    this.run(() => this.removeOrphans());
    this.schedule(INTERVAL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.cancel();
    await this.working;
  }

  /** One sweep, in pages. */
  async sweep(): Promise<void> {
    const sentBefore = this.clock.now() - this.config.mediaUnusedHours * 3_600_000;
    while (!this.stopped && (await this.media.removeUnused(sentBefore, PAGE)));
  }

  /** Contents without a row, as an upload leaves them whose process ended between the two. */
  async removeOrphans(): Promise<void> {
    let page: string[] = [];
    const look = async (): Promise<void> => {
      const removed = page.length === 0 ? 0 : await this.media.removeContents(page);
      if (removed > 0) this.log.info('contents without a file were removed', { removed });
      page = [];
    };
    for await (const hash of this.blobs.hashes()) {
      if (this.stopped) return;
      page.push(hash);
      if (page.length === PAGE) await look();
    }
    await look();
  }

  private schedule(ms: number): void {
    if (this.stopped || (this.soon && ms === SOON_MS)) return;
    this.cancel();
    this.soon = ms === SOON_MS;
    this.cancel = this.clock.after(ms, () => {
      this.soon = false;
      this.run(() => this.sweep());
      this.schedule(INTERVAL_MS);
    });
  }

  private run(work: () => Promise<void>): void {
    this.working = this.working.then(work).catch((error: unknown) => {
      this.log.error('unused files could not be removed; it will be tried again', error);
    });
  }
}
