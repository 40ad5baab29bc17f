import { Injectable } from '@nestjs/common';
import { canAccessAgent, type Caller } from '../../core/http/index.js';
import type { Gap, JournalEntry } from '../../core/journal/index.js';
import { AgentsService } from '../agents/index.js';

/** Decides whether a subscriber may keep reading a channel when the channel's participants change. */
@Injectable()
export class ChannelReadAccess {
  constructor(private readonly agents: AgentsService) {}

  /**
   * Whether a caller's access depends on the agents in a channel. Session tokens and user tokens keep access to their session's
   * channel, whichever agents join it.
   */
  static isLimited({ agents, session, user }: Caller): boolean {
    return agents !== undefined && session === undefined && user === undefined;
  }

  /** Whether an entry revokes the caller's access to the channel. The caller may read neither this entry nor later ones. */
  revokes(entry: JournalEntry | Gap, caller: Caller): boolean {
    if (!ChannelReadAccess.isLimited(caller) || (entry.type !== 'channel.created' && entry.type !== 'channel.updated')) return false;
    const present = (entry.payload.participantIds ?? []).filter((id) => this.agents.find(id) !== undefined);
    return present.length === 0 || !present.every((id) => canAccessAgent(caller, id));
  }
}
