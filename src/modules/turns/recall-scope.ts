import { Injectable } from '@nestjs/common';
import { idForAgent } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { audiencesWithin, ConversationMemory } from '../memory/index.js';
import { ChannelsService } from '../messaging/index.js';
import type { Turn } from './turns.types.js';

// With more people than this hardly anything is known to all of them.
const MOST_PEOPLE = 100;

/**
 * What an agent may recall in an answer: what was said in this conversation, and what was said where everybody who is present
 * takes part. Naming a person can make that less; only credentials that vouch for the people can make it more.
 */
@Injectable()
export class RecallScope {
  constructor(
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly memory: ConversationMemory,
  ) {}

  /**
   * The audiences whose memories may be told in the answer.
   *
   * @param speakers who has spoken in the channel lately, agents too
   */
  async audiences(turn: Turn, speakers: readonly string[]): Promise<ReadonlySet<string>> {
    const { agent, channel, message } = turn;
    const within = audiencesWithin(idForAgent(agent.id, channel.id));
    const people = message.vouched && channel.vouched ? await this.present(turn, speakers) : [];
    if (people.length === 0 || people.length > MOST_PEOPLE) return new Set(within);
    const [shared, rooms] = await Promise.all([this.channels.sharedBy(people), this.memory.roomsSharedBy(agent.id, people)]);
    const listed = new Set(shared);
    const unlisted = rooms.flatMap(({ channelId }) => (channelId === null || listed.has(channelId) ? [] : [channelId]));
    const open = new Set(unlisted.length === 0 ? [] : await this.channels.openAmong(unlisted));
    return new Set([
      ...within,
      ...shared.map((channelId) => idForAgent(agent.id, channelId)),
      ...rooms.filter(({ channelId }) => channelId === null || open.has(channelId)).map(({ id }) => id),
    ]);
  }

  /** Users who may hear the answer; none where that is not known, because the channel lists no user. */
  private async present({ agent, channel, message }: Turn, speakers: readonly string[]): Promise<string[]> {
    const listed = channel.participants.filter(({ kind }) => kind === 'user').map(({ entityId }) => entityId);
    if (listed.length === 0) return [];
    const agents = new Set(channel.participants.filter(({ kind }) => kind === 'agent').map(({ entityId }) => entityId));
    const heard = [message.authorId, ...listed, ...speakers, ...(await this.memory.speakersIn(agent.id, channel.id))];
    return [...new Set(heard)].filter((id) => !agents.has(id) && !this.agents.find(id));
  }
}
