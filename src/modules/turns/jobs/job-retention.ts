import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { AppError } from '../../../core/errors/index.js';
import type { RetentionSweep } from '../../../core/retention/index.js';
import { ChannelsService } from '../../messaging/index.js';
import { JobsRepository } from './jobs.repository.js';

/** Maximum number of stored jobs. */
export const MAX_JOBS = 10_000;

const HOUR_MS = 3_600_000;
const PAGE = 100;

/** Deletes expired jobs, with their channels and the memories of them. */
@Injectable()
export class JobRetention implements RetentionSweep {
  readonly removes = 'jobs';
  readonly everyMs = 60_000;

  constructor(
    private readonly repository: JobsRepository,
    private readonly channels: ChannelsService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async sweep(stopping?: AbortSignal): Promise<void> {
    for (;;) {
      const before = this.clock.now() - this.config.jobRetentionHours * HOUR_MS;
      const channelIds = await this.repository.expiredChannels(before, MAX_JOBS, PAGE);
      for (const channelId of channelIds) {
        if (stopping?.aborted) return;
        await this.remove(channelId);
      }
      if (channelIds.length < PAGE) return;
    }
  }

  private async remove(channelId: string): Promise<void> {
    try {
      await this.channels.discard(channelId);
    } catch (error) {
      // Deleted concurrently.
      if (!(error instanceof AppError && error.code === 'CHANNEL_NOT_FOUND')) throw error;
    }
  }
}
