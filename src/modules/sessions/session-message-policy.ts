import { Injectable } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import { type Channel, type MessageDraft, type MessagePolicy } from '../messaging/index.js';
import { StaleSessionError } from './sessions.errors.js';
import { SessionsRepository } from './sessions.repository.js';
import { SESSION_POLICY, SessionsService } from './sessions.service.js';

/** Applies the session rules to messages that are posted to a session's channel instead of the session. */
@Injectable()
export class SessionMessagePolicy implements MessagePolicy {
  readonly name = SESSION_POLICY;

  constructor(
    private readonly repository: SessionsRepository,
    private readonly sessions: SessionsService,
  ) {}

  async check(_message: MessageDraft, channel: Channel): Promise<readonly Statement[]> {
    if (channel.channelType !== 'DM') return [];
    const session = await this.repository.findByChannel(channel.id);
    // After its session has ended, the channel is an ordinary channel.
    if (session === undefined || session.status === 'ended') return [];
    return this.sessions.touch(await this.sessions.require(session.id)).statements;
  }

  isStale(error: unknown): boolean {
    return error instanceof StaleSessionError;
  }
}
