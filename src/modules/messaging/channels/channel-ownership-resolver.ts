import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnershipResolver } from '../../../core/http/index.js';
import { Journal } from '../../../core/journal/index.js';
import { agentsIn } from './channel-types.js';
import { ChannelsService } from './channels.service.js';

/** A channel is owned by the agents that take part in it. */
@Injectable()
export class ChannelOwnershipResolver implements OnModuleInit {
  constructor(
    private readonly owners: OwnershipResolver,
    private readonly channels: ChannelsService,
    private readonly journal: Journal,
  ) {}

  onModuleInit(): void {
    this.owners.register('channelId', async (id) => {
      const channel = await this.channels.find(id);
      if (!channel) return undefined;
      const agents = agentsIn(channel);
      const participants = channel.participants.map(({ entityId }) => entityId);
      const directUser = directUserOf(channel.metadata, participants, agents);
      return { agents, ...(directUser !== undefined && { directUser }) };
    });
    this.journal.subscribe(({ type, channelId }) => {
      if (channelId === null) return;
      if (type === 'channel.created' || type === 'channel.updated') this.owners.changed(channelId);
      else if (type === 'channel.deleted') this.owners.changed(channelId, true);
    });
  }
}

/** The only user of a direct channel with agents. Undefined for the channel of a session, which is closed when the session ends. */
export function directUserOf(
  { user1, user2, sessionId }: Record<string, unknown>,
  participants: readonly string[],
  agents: readonly string[],
): string | undefined {
  const known = new Set(agents);
  const users = participants.filter((id) => !known.has(id));
  const [user] = users;
  return sessionId === undefined && agents.length > 0 && users.length === 1 && (user === user1 || user === user2) ? user : undefined;
}
