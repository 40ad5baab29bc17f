import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import type { RetentionSweep } from '../../core/retention/index.js';
import { ChannelsService } from '../messaging/index.js';
import { CallerTools } from '../turns/index.js';
import { agentsIn } from './caller-channels.js';
import { ProtocolRequestsRepository, type RequestPosition } from './protocol-requests.repository.js';

const HOUR_MS = 3_600_000;
/** Within it, a client may repeat its request and get the reply. */
const KEPT_MS = HOUR_MS;
const PAGE = 100;

/** Deletes conversations that were not to be stored, and that a crash or a client that disconnected has left. */
@Injectable()
export class UnstoredConversations implements RetentionSweep {
  readonly removes = 'conversations that are not to be stored';
  readonly everyMs = HOUR_MS;

  constructor(
    private readonly requests: ProtocolRequestsRepository,
    private readonly channels: ChannelsService,
    private readonly callers: CallerTools,
    private readonly clock: Clock,
  ) {}

  async sweep(stopping?: AbortSignal): Promise<void> {
    const before = this.clock.now() - KEPT_MS;
    let after: RequestPosition | undefined = { createdAt: 0, messageId: '' };
    while (after !== undefined && stopping?.aborted !== true) {
      const found = await this.requests.forgetting(after, before, PAGE);
      for (const channelId of new Set(found.map((request) => request.channelId))) await this.deleteEnded(channelId);
      after = found.length === PAGE ? found.at(-1) : undefined;
    }
  }

  /** A turn that waits for its caller keeps its conversation. */
  private async deleteEnded(channelId: string): Promise<void> {
    const channel = await this.channels.find(channelId);
    if (!channel) return;
    const [agentId = ''] = agentsIn(channel);
    if (!(await this.callers.unendedMessageOf(channelId, agentId))) await this.channels.discard(channelId);
  }
}
