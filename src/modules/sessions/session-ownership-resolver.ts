import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnershipResolver, type Ownership } from '../../core/http/index.js';
import { Journal } from '../../core/journal/index.js';
import { SESSION_CHANNEL } from '../access/index.js';
import { ChannelsService } from '../messaging/index.js';
import { SessionsService } from './sessions.service.js';
import type { SessionView } from './sessions.types.js';

/** A session is owned by its agent, until its retention is over. */
@Injectable()
export class SessionOwnershipResolver implements OnModuleInit {
  constructor(
    private readonly owners: OwnershipResolver,
    private readonly sessions: SessionsService,
    private readonly channels: ChannelsService,
    private readonly journal: Journal,
  ) {}

  onModuleInit(): void {
    this.owners.register('sessionId', async (id) => this.ownershipOf(await this.sessions.find(id)));
    this.owners.register(SESSION_CHANNEL, async (id) => this.ownershipOf(await this.sessions.findByChannel(id)));
    this.journal.subscribe(({ type, channelId }) => {
      if (channelId !== null && (type === 'session.expired' || type === 'session.ended')) this.owners.changed(channelId, true);
    });
  }

  private async ownershipOf(session: SessionView | undefined): Promise<Ownership | undefined> {
    if (!session) return undefined;
    const { id, agentId, channelId, userId, state, expiresAt } = session;
    const vouched = (await this.channels.find(channelId))?.vouched === true;
    const expiry = state === 'expired' ? { expiredAt: expiresAt } : {};
    return { agents: [agentId], session: { id, agentId, channelId, userId, vouched, ...expiry } };
  }
}
