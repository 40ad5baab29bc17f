import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import { ChannelKeepers, type Channel, type ChannelKeeper, type Posted } from '../messaging/index.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

/** Makes a session's time hold for its channel too, when somebody writes there directly or over a socket. */
@Injectable()
export class SessionKeeper implements ChannelKeeper, OnModuleInit {
  constructor(
    private readonly keepers: ChannelKeepers,
    private readonly repository: SessionsRepository,
    private readonly sessions: SessionsService,
  ) {}

  onModuleInit(): void {
    this.keepers.register(this);
  }

  async post(channel: Channel, post: (before: readonly Statement[]) => Promise<Posted>): Promise<Posted | undefined> {
    if (channel.channelType !== 'DM') return undefined;
    const session = await this.repository.findByChannel(channel.id);
    // What has ended is a channel like any other.
    return session === undefined || session.status === 'ended' ? undefined : this.sessions.postWith(session.id, post);
  }
}
