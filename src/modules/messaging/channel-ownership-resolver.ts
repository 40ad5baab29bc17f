import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnershipResolver } from '../../core/http/index.js';
import { agentsIn, type Channel } from './channel-types.js';
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
      if (!channel) return undefined;
      const agents = agentsIn(channel);
      const directUser = directUserOf(channel, agents);
      return { agents, ...(directUser !== undefined && { directUser }) };
    });
  }
}

/** Undefined for the channel of a session, which is closed when the session ends. */
function directUserOf({ metadata, participants }: Channel, agents: readonly string[]): string | undefined {
  const { user1, user2, sessionId } = metadata;
  const users = participants.map(({ entityId }) => entityId).filter((id) => !agents.includes(id));
  const [user] = users;
  return sessionId === undefined && agents.length > 0 && users.length === 1 && (user === user1 || user === user2) ? user : undefined;
}
