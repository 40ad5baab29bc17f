import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ResourceOwners, SESSION_CHANNEL, type Owned } from '../../core/http/index.js';
import { ChannelsService } from '../messaging/index.js';
import { SessionsService } from './sessions.service.js';
import type { SessionView } from './sessions.types.js';

/** A session belongs to its agent, as long as it is remembered. */
@Injectable()
export class SessionOwners implements OnModuleInit {
  constructor(
    private readonly owners: ResourceOwners,
    private readonly sessions: SessionsService,
    private readonly channels: ChannelsService,
  ) {}

  onModuleInit(): void {
    this.owners.register('sessionId', async (id) => this.owned(await this.sessions.find(id)));
    this.owners.register(SESSION_CHANNEL, async (id) => this.owned(await this.sessions.findByChannel(id)));
  }

  private async owned(session: SessionView | undefined): Promise<Owned | undefined> {
    if (!session) return undefined;
    const { id, agentId, channelId, userId, state, expiresAt } = session;
    const vouched = (await this.channels.find(channelId))?.vouched === true;
    const expiry = state === 'expired' ? { expiredAt: expiresAt } : {};
    return { agents: [agentId], session: { id, agentId, channelId, userId, vouched, ...expiry } };
  }
}
