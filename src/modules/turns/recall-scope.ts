import { Injectable } from '@nestjs/common';
import { idForAgent } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { roomAudiences, ConversationMemory } from '../memory/index.js';
import { ChannelsService } from '../messaging/index.js';
import type { Turn } from './turns.types.js';

// More people than this hardly share any conversation.
const MAX_PEOPLE = 100;

/**
 * Determines what an agent may recall in an answer: this conversation, and conversations in which every listener takes part.
 * Unauthenticated user ids can only narrow the scope; widening it requires credentials that authenticate all of them.
 */
@Injectable()
export class RecallScope {
  constructor(
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly memory: ConversationMemory,
  ) {}

  /**
   * The audiences whose memories the answer may use.
   *
   * @param speakers authors in the channel, including agents: those that the agent remembers, and recent ones
   */
  async audiences(turn: Turn, speakers: readonly string[]): Promise<ReadonlySet<string>> {
    const { agent, channel, message } = turn;
    const within = roomAudiences(idForAgent(agent.id, channel.id));
    const people = message.vouched && channel.vouched ? this.recipients(turn, speakers) : [];
    if (people.length === 0 || people.length > MAX_PEOPLE) return new Set(within);
    const [shared, rooms] = await Promise.all([this.channels.sharedBy(people), this.memory.roomsSharedBy(agent.id, people)]);
    const listed = new Set(shared);
    const unlisted = rooms.flatMap(({ channelId }) => (channelId === null || listed.has(channelId) ? [] : [channelId]));
    const open = new Set(unlisted.length === 0 ? [] : await this.channels.withoutUsers(unlisted));
    return new Set([
      ...within,
      ...shared.map((channelId) => idForAgent(agent.id, channelId)),
      ...rooms.filter(({ channelId }) => channelId === null || open.has(channelId)).map(({ id }) => id),
    ]);
  }

  /** Users that may receive the answer; empty when unknown, because the channel lists no users. */
  private recipients({ channel, message }: Turn, speakers: readonly string[]): string[] {
    const listed = channel.participants.filter(({ kind }) => kind === 'user').map(({ entityId }) => entityId);
    if (listed.length === 0) return [];
    const agents = new Set(channel.participants.filter(({ kind }) => kind === 'agent').map(({ entityId }) => entityId));
    const heard = [message.authorId, ...listed, ...speakers];
    return [...new Set(heard)].filter((id) => !agents.has(id) && !this.agents.find(id));
  }
}
