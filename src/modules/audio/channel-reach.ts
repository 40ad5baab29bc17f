import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { canAccessAgent, type Caller } from '../../core/http/index.js';
import { ChannelsService } from '../messaging/index.js';

/** Checks access to channels that the access guard does not see: those in form fields, room ids and message ids. */
@Injectable()
export class ChannelReach {
  constructor(private readonly channels: ChannelsService) {}

  /** @throws AppError FORBIDDEN when the caller's credential is limited to agents and the channel has other agents */
  async assertReachable({ agents, ...caller }: Caller, channelId: string): Promise<void> {
    const channel = agents && (await this.channels.find(channelId));
    if (!channel) return;
    const present = channel.participants.filter(({ kind }) => kind === 'agent');
    if (present.length > 0 && present.every(({ entityId }) => canAccessAgent({ ...caller, agents }, entityId))) return;
    throw new AppError(
      'FORBIDDEN',
      'The credential has no access to the agents of this channel.',
      `Use a credential with access to channel ${channelId}.`,
    );
  }
}
