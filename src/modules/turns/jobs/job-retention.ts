import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock, Repetition } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { AppError } from '../../../core/errors/index.js';
import { Log } from '../../../core/logging/index.js';
import { ChannelsService } from '../../messaging/index.js';
import { JobsRepository } from './jobs.repository.js';

/** How many jobs are kept, whatever their age. */
export const MOST_JOBS = 10_000;

const INTERVAL_MS = 60_000;
const HOUR_MS = 3_600_000;
const PAGE = 100;

/** Removes jobs that are long over, with their channels and what agents remember of them. */
@Injectable()
export class JobRetention implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Log('jobs');
  private readonly sweeps: Repetition;

  constructor(
    private readonly repository: JobsRepository,
    private readonly channels: ChannelsService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.sweeps = new Repetition(
      clock,
      INTERVAL_MS,
      (over) => this.sweep(over),
      (error) => this.log.error('jobs that are over could not be removed; trying again in a minute', error),
    );
  }

  onModuleInit(): void {
    this.sweeps.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweeps.stop();
  }

  /** One sweep. */
  async sweep(over = (): boolean => false): Promise<void> {
    for (;;) {
      const before = this.clock.now() - this.config.jobRetentionHours * HOUR_MS;
      const channelIds = await this.repository.outdated(before, MOST_JOBS, PAGE);
      for (const channelId of channelIds) {
        if (over()) return;
        await this.remove(channelId);
      }
      if (channelIds.length < PAGE) return;
    }
  }

  private async remove(channelId: string): Promise<void> {
    try {
      await this.channels.delete(channelId);
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof AppError && error.code === 'CHANNEL_NOT_FOUND')) throw error;
    }
  }
}
