import { Injectable } from '@nestjs/common';
import { idForAgent } from '../../../core/ids/index.js';
import { AgentsService } from '../../agents/index.js';
import { roomAudiences, ConversationMemory, hasHeard, memoryId, type RecallAudience, type RecallRow } from '../../memory/index.js';
import { ChannelsService } from '../../messaging/index.js';
import { TurnsRepository, type PendingMessage } from '../turns.repository.js';
import type { Turn } from '../turns.types.js';

// More people than this hardly share any conversation.
const MAX_PEOPLE = 100;

/** An audience that is being read. */
export interface ExpectedAudience {
  readonly people: readonly string[];
  readonly audience: Promise<RecallAudience | undefined>;
}

/**
 * Determines what an agent may recall in a reply: this conversation, and what was said elsewhere while every listener took part.
 * Unauthenticated user ids can only narrow the scope; widening it requires credentials that authenticate all of them.
 */
@Injectable()
export class RecallScope {
  constructor(
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly memory: ConversationMemory,
    private readonly turns: TurnsRepository,
  ) {}

  /**
   * The readers of the reply, and their messages in other conversations whose turns have not ended.
   *
   * @param speakers authors in the channel, including agents: those that the agent remembers, and recent ones
   * @param expected of `expected`, if it has been called
   */
  async audience(turn: Turn, speakers: readonly string[], expected = this.expected(turn)): Promise<RecallAudience> {
    const { agent, channel } = turn;
    const within = roomAudiences(idForAgent(agent.id, channel.id));
    const people = this.recipients(turn, speakers);
    const others = new Set(expected.people);
    const isExpected = people.length === others.size && people.every((id) => others.has(id));
    const audience = await (isExpected ? expected.audience : this.audienceOfSome(agent.id, people, channel.id));
    const since = new Map(audience?.since);
    for (const room of within) since.delete(room);
    return { ...audience, rooms: new Set([...within, ...(audience?.rooms ?? [])]), since };
  }

  /** Begins to read what `audience` needs if only the author and listed users have spoken. */
  expected(turn: Turn): ExpectedAudience {
    const people = this.recipients(turn, []);
    return { people, audience: this.audienceOfSome(turn.agent.id, people, turn.channel.id) };
  }

  /**
   * As `audience`, for users in a new conversation.
   *
   * @param without a channel whose pending messages do not count
   */
  async audienceOf(agentId: string, people: readonly string[], without?: string): Promise<RecallAudience> {
    const [shared, rooms] = await Promise.all([this.channels.sharedBy(people), this.memory.roomsSharedBy(agentId, people)]);
    const listed = new Set(shared.map(({ id }) => id));
    const unlisted = rooms.flatMap(({ channelId }) => (channelId === null || listed.has(channelId) ? [] : [channelId]));
    const elsewhere = [...listed].filter((id) => id !== without);
    const [open, pending] = await Promise.all([
      unlisted.length === 0 ? [] : this.channels.withoutUsers(unlisted),
      elsewhere.length === 0 ? [] : this.turns.pendingMessages(agentId, elsewhere),
    ]);
    const withoutUsers = new Set(open);
    const all = [
      ...shared.map(({ id, since }) => ({ id: idForAgent(agentId, id), since })),
      // Every user may read all of an open channel.
      ...rooms.flatMap(({ id, channelId, since }) =>
        channelId === null ? [{ id, since }] : withoutUsers.has(channelId) ? [{ id, since: 0 }] : [],
      ),
    ];
    const audience = {
      rooms: new Set(all.map(({ id }) => id)),
      since: new Map(all.filter(({ since }) => since > 0).map(({ id, since }) => [id, since])),
      ...(people.length === 1 ? { onlyUser: people[0] } : {}),
    };
    return { ...audience, unrecorded: pending.map((message) => toRow(agentId, message)).filter((row) => hasHeard(audience, row)) };
  }

  private async audienceOfSome(agentId: string, people: readonly string[], channelId: string): Promise<RecallAudience | undefined> {
    return people.length === 0 || people.length > MAX_PEOPLE ? undefined : this.audienceOf(agentId, people, channelId);
  }

  /** Users that may receive the reply; empty when unknown, because the channel lists no users, or when no credential vouches for them. */
  private recipients({ channel, message }: Turn, speakers: readonly string[]): string[] {
    if (!message.vouched || !channel.vouched) return [];
    const listed = channel.participants.filter(({ kind }) => kind === 'user').map(({ entityId }) => entityId);
    if (listed.length === 0) return [];
    const agents = new Set(channel.participants.filter(({ kind }) => kind === 'agent').map(({ entityId }) => entityId));
    const heard = [message.authorId, ...listed, ...speakers];
    return [...new Set(heard)].filter((id) => !agents.has(id) && !this.agents.find(id));
  }
}

function toRow(agentId: string, { id, channelId, authorId, authorName, content, createdAt }: PendingMessage): RecallRow {
  const roomId = idForAgent(agentId, channelId);
  const text = { text: content, isEmbedded: false, at: createdAt };
  return { id: memoryId(agentId, id), room_id: roomId, type: 'messages', vouched: true, authorId, authorName, ...text };
}
