import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ResourceOwners } from '../../core/http/index.js';
import { SessionsService } from './sessions.service.js';

/** A session belongs to its agent, as long as it is remembered. */
@Injectable()
export class SessionOwners implements OnModuleInit {
  constructor(
    private readonly owners: ResourceOwners,
    private readonly sessions: SessionsService,
  ) {}

  onModuleInit(): void {
    this.owners.register('sessionId', async (sessionId) => {
      const session = await this.sessions.find(sessionId);
      if (!session) return undefined;
      const { id, agentId, channelId, userId, state, expiresAt } = session;
      const expiry = state === 'expired' ? { expiredAt: expiresAt } : {};
      return { agents: [agentId], session: { id, agentId, channelId, userId, ...expiry } };
    });
  }
}
