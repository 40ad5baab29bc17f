import { Injectable } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import { ApiErrors } from '../../core/http/index.js';
import { type Channel, type MessageDraft, type MessagePolicy } from '../messaging/index.js';
import { SESSION_POLICY } from './session-post-policy.js';
import { sessionExpired, StaleSessionError } from './sessions.errors.js';
import { SessionsService } from './sessions.service.js';

/** Applies the session rules to messages that are posted to a session's channel instead of the session. */
@Injectable()
@ApiErrors('SESSION_EXPIRED', 'SESSION_RENEWAL_FAILED', 'CONFLICT')
export class SessionMessagePolicy implements MessagePolicy {
  readonly name = SESSION_POLICY;

  constructor(private readonly sessions: SessionsService) {}

  async check(_message: MessageDraft, channel: Channel): Promise<readonly Statement[]> {
    if (channel.channelType !== 'DM') return [];
    const session = await this.sessions.findByChannel(channel.id);
    // After its session has ended, the channel is an ordinary channel.
    if (session === undefined) return [];
    if (session.state === 'expired') throw sessionExpired(session);
    return this.sessions.touch(session).statements;
  }

  isStale(error: unknown): boolean {
    return error instanceof StaleSessionError;
  }
}
