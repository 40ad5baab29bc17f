import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import type { RetentionSweep } from '../../core/retention/index.js';
import { ChannelsService } from '../messaging/index.js';
import { ProtocolRequestsRepository } from './protocol-requests.repository.js';

const HOUR_MS = 3_600_000;
/** Longer than a reply takes with the results of its caller. */
const KEPT_MS = 8 * 24 * HOUR_MS;
const PAGE = 100;

/** Deletes conversations that were not to be stored, and that a crash or a caller that never returned has left. */
@Injectable()
export class UnstoredConversations implements RetentionSweep {
  readonly removes = 'conversations that are not to be stored';
  readonly everyMs = HOUR_MS;

  constructor(
    private readonly requests: ProtocolRequestsRepository,
    private readonly channels: ChannelsService,
    private readonly clock: Clock,
  ) {}

  async sweep(stopping?: AbortSignal): Promise<void> {
    for (let found = PAGE; found === PAGE && stopping?.aborted !== true;) {
      const channelIds = await this.requests.forgetting(this.clock.now() - KEPT_MS, PAGE);
      for (const id of channelIds) await this.channels.discard(id);
      found = channelIds.length;
    }
  }
}
