import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnershipResolver } from '../../core/http/index.js';
import { agentsIn } from './channel-types.js';
import { ChannelsService } from './channels.service.js';

/** A channel is owned by the agents that take part in it. */
@Injectable()
export class ChannelOwnershipResolver implements OnModuleInit {
  constructor(
    private readonly owners: OwnershipResolver,
    private readonly channels: ChannelsService,
  ) {}

  onModuleInit(): void {
    this.owners.register('channelId', async (id) => {
      const channel = await this.channels.find(id);
      return channel && { agents: agentsIn(channel) };
    });
  }
}
