import { Injectable } from '@nestjs/common';
import { mayReach, type Caller } from '../../core/http/index.js';
import type { Gap, JournalEntry } from '../../core/journal/index.js';
import { AgentsService } from '../agents/index.js';

/** Who may go on hearing a channel when those who take part in it change. */
@Injectable()
export class ChannelAudience {
  constructor(private readonly agents: AgentsService) {}

  /** Whether a caller's rights depend on which agents are in a channel. The tokens of a session and of its user hear its channel, whoever joins that. */
  static isLimited({ agents, session, user }: Caller): boolean {
    return agents !== undefined && session === undefined && user === undefined;
  }

  /** Whether an entry makes the channel one that the caller may not hear: that entry, and what comes behind it, is not for the caller. */
  closes(entry: JournalEntry | Gap, caller: Caller): boolean {
    if (!ChannelAudience.isLimited(caller) || (entry.type !== 'channel.created' && entry.type !== 'channel.updated')) return false;
    const present = (entry.payload.participantIds ?? []).filter((id) => this.agents.find(id) !== undefined);
    return present.length === 0 || !present.every((id) => mayReach(caller, id));
  }
}
