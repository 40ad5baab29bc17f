import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '../../core/errors/index.js';
import type { Statement } from '../../core/database/index.js';
import type { Channel } from './channel-types.js';
import type { Posted } from './messages.types.js';

/** The codes that a keeper refuses with. */
export const KEEPER_REFUSALS = ['SESSION_EXPIRED', 'SESSION_RENEWAL_FAILED', 'CONFLICT'] as const satisfies ErrorCode[];

/** Somebody whose rules hold for a channel, whichever door its messages come through. */
export interface ChannelKeeper {
  /**
   * Posts a user's message under its rules: it may refuse (throw), add statements to the message's unit, and try again.
   *
   * @param post stores the message together with the given statements
   * @returns undefined when the channel is none of its
   */
  post(channel: Channel, post: (before: readonly Statement[]) => Promise<Posted>): Promise<Posted | undefined>;
}

/** Registry, owned here and filled from above: a session keeps its channel's time without messaging knowing sessions. */
@Injectable()
export class ChannelKeepers {
  private readonly registered: ChannelKeeper[] = [];

  register(keeper: ChannelKeeper): void {
    this.registered.push(keeper);
  }

  async post(channel: Channel, post: (before: readonly Statement[]) => Promise<Posted>): Promise<Posted> {
    for (const keeper of this.registered) {
      const posted = await keeper.post(channel, post);
      if (posted) return posted;
    }
    return post([]);
  }
}
