import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ResourceOwners } from '../../core/http/index.js';
import { agentsIn } from './channel-types.js';
import { ChannelsService } from './channels.service.js';

/** A channel belongs to the agents that take part in it. */
@Injectable()
export class ChannelOwners implements OnModuleInit {
  constructor(
    private readonly owners: ResourceOwners,
    private readonly channels: ChannelsService,
  ) {}

  onModuleInit(): void {
    this.owners.register('channelId', async (id) => {
      const channel = await this.channels.find(id);
      return channel && { agents: agentsIn(channel) };
    });
  }
}
