import { Injectable } from '@nestjs/common';
import { canAccessAgent, type Caller } from '../../../core/http/index.js';
import type { Gap, JournalEntry } from '../../../core/journal/index.js';
import { AgentsService } from '../../agents/index.js';
import { directUserOf } from './channel-ownership-resolver.js';

/** Decides whether a subscriber may keep reading a channel when the channel's participants change. */
@Injectable()
export class ChannelReadAccess {
  constructor(private readonly agents: AgentsService) {}

  /**
   * Whether a caller's access depends on the participants of a channel. Session tokens keep access to their session's channel, whichever
   * agents join it, and so do user tokens.
   */
  static isLimited({ agents, session, user }: Caller): boolean {
    return user !== undefined || (agents !== undefined && session === undefined);
  }

  /**
   * Whether an entry alone shows that the caller loses access to the channel. It may read neither this entry nor later ones. Everything else
   * that takes access away is found by checking again (`HeldAccess`).
   */
  revokes(entry: JournalEntry | Gap, caller: Caller): boolean {
    if (!ChannelReadAccess.isLimited(caller) || (entry.type !== 'channel.created' && entry.type !== 'channel.updated')) return false;
    const { metadata, participantIds } = entry.payload;
    const { user } = caller;
    if (user && metadata['sessionId'] !== undefined) return false;
    const agents = participantIds.filter((id) => this.agents.find(id) !== undefined);
    if (user && directUserOf(metadata, participantIds, agents) !== user.id) return true;
    return agents.length === 0 || !agents.every((id) => canAccessAgent(caller, id));
  }
}
