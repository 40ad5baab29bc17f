import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { mayReach, type Caller } from '../../core/http/index.js';
import { ChannelsService } from '../messaging/index.js';

/** The channels that a request names where the access guard cannot look: in the fields of a form, as a room, by a message. */
@Injectable()
export class ReachableChannels {
  constructor(private readonly channels: ChannelsService) {}

  /** @throws AppError FORBIDDEN for a caller that is limited to agents, when the channel is others' */
  async check({ agents, ...caller }: Caller, channelId: string): Promise<void> {
    const channel = agents && (await this.channels.find(channelId));
    if (!channel) return;
    const present = channel.participants.filter(({ kind }) => kind === 'agent');
    if (present.length > 0 && present.every(({ entityId }) => mayReach({ ...caller, agents }, entityId))) return;
    throw new AppError('FORBIDDEN', 'The credential is not for the agents of this channel.', `It does not reach channel ${channelId}.`);
  }
}
