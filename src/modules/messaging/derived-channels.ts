import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Users } from '../../core/http/index.js';
import { DEFAULT_SERVER_ID, idForAgent, idFromText, InstallationIds } from '../../core/ids/index.js';
import { agentsIn, type Channel } from './channel-types.js';
import { ChannelsService } from './channels.service.js';

/** A channel known by its purpose instead of an id. */
interface Place {
  readonly purpose: string;
  readonly parts: readonly string[];
  /** The id that versions before the installation key gave it. */
  readonly former: string;
  /** Whether a channel that has one of its ids is this one, and not one that another caller has made of it. */
  fits(channel: Channel, isFormer: boolean): boolean;
}

/** Where something is said: a channel, or the id under which it is to be created. */
export interface Located {
  readonly id: string;
  readonly channel?: Channel;
}

// A direct channel that becomes a group is followed by another one, each time.
const MOST_IDS = 64;
const MOST_LOOKS = 5;

/**
 * Finds the channels whose ids follow from what they are for. The ids need the installation's key, so that none can be taken beforehand. What is
 * found is looked at all the same; when it is something else by now, the next id is taken.
 */
@Injectable()
export class DerivedChannels {
  constructor(
    private readonly channels: ChannelsService,
    private readonly ids: InstallationIds,
  ) {}

  /**
   * The direct channel of two users or agents on a server, the same however often and from whichever side it is asked for. One that a third has
   * joined, or one of the two has left, is no longer theirs alone: they get another.
   *
   * @param users whom the caller's credential vouches for
   * @throws AppError VALIDATION_ERROR for a channel with oneself, MESSAGE_SERVER_NOT_FOUND
   */
  async direct(one: string, other: string, users: Users, server = DEFAULT_SERVER_ID): Promise<Channel> {
    const serverId = server.toLowerCase();
    const [user1 = '', user2 = ''] = [one.toLowerCase(), other.toLowerCase()].sort();
    if (user1 === user2) {
      throw new AppError('VALIDATION_ERROR', 'targetUserId must not be currentUserId', 'A direct channel is between two.');
    }
    const place = directPlace(serverId, user1, user2);
    for (let look = 1; ; look++) {
      const { id, channel } = await this.locate(place);
      if (channel) return channel.vouched ? channel : this.channels.vouch(channel, users);
      try {
        return await this.channels.create({
          id,
          serverId,
          name: `DM-${user1}-${user2}`,
          type: 'DM',
          channelType: 'DM',
          metadata: { user1, user2 },
          participants: [user1, user2],
          users,
        });
      } catch (error) {
        // The other side asked at the same moment.
        if (look === MOST_LOOKS || !(error instanceof AppError && error.code === 'CONFLICT')) throw error;
      }
    }
  }

  /** The channel that stands for one of another platform. @param serverId the one it is on here; any when it is left out */
  ofPlatform(platform: string, sourceId: string, serverId?: string): Promise<Located> {
    return this.locate({
      purpose: 'channel of a platform',
      parts: [platform, sourceId],
      former: idFromText(`${platform}:channel:${sourceId}`),
      fits: (channel, isFormer) =>
        (serverId === undefined || channel.serverId === serverId.toLowerCase()) &&
        (isFormer
          ? channel.sourceType === null && [undefined, platform].includes(channel.metadata['created_by'] as string | undefined)
          : channel.sourceType === platform && channel.sourceId === sourceId),
    });
  }

  /** The channel of an agent's spoken conversations under a name; one that another agent has joined is no longer the agent's own. */
  ofConversation(agentId: string, name: string): Promise<Located> {
    return this.locate({
      purpose: 'conversation',
      parts: [agentId, name],
      former: idForAgent(agentId, name),
      fits: (channel) => {
        const agents = agentsIn(channel);
        return channel.serverId === DEFAULT_SERVER_ID && channel.channelType === 'VOICE_DM' && agents.length === 1 && agents[0] === agentId;
      },
    });
  }

  /** The channel of a message server that mirrors one of another platform, as a part of a larger unit. */
  syncedIn(tx: Transaction, serverId: string, sourceType: string, sourceId: string): Promise<Located> {
    const place: Place = {
      purpose: 'synced channel',
      parts: [serverId, sourceId],
      former: idFromText(`synced:${serverId}:${sourceId}`),
      fits: (channel) => channel.serverId === serverId && channel.sourceType === sourceType && channel.sourceId === sourceId,
    };
    return this.choose(place, (ids) => this.channels.findAllIn(tx, ids));
  }

  private async locate(place: Place): Promise<Located> {
    const first = await this.channels.find(this.ids.of(place.purpose, place.parts));
    if (first && place.fits(first, false)) return { id: first.id, channel: first };
    const former = await this.channels.find(place.former);
    if (former && this.isFormer(place, former)) return { id: former.id, channel: former };
    return this.choose(place, (ids) => this.channels.findAll(ids));
  }

  /** The first of its channels that is still this one; else the one that it was before; else the first id that is free. */
  private async choose(place: Place, read: (ids: readonly string[]) => Promise<Channel[]>): Promise<Located> {
    const ids = Array.from({ length: MOST_IDS }, (_, attempt) => this.ids.of(place.purpose, place.parts, attempt));
    const found = new Map((await read([...ids, place.former])).map((channel) => [channel.id, channel]));
    const own = ids.flatMap((id) => found.get(id) ?? []).find((channel) => place.fits(channel, false));
    if (own) return { id: own.id, channel: own };
    const former = found.get(place.former);
    if (former && this.isFormer(place, former)) return { id: former.id, channel: former };
    const free = ids.find((id) => !found.has(id));
    if (free !== undefined) return { id: free };
    throw new AppError(
      'CONFLICT',
      `There are ${MOST_IDS} channels for this already, and others take part in each of them.`,
      'Delete some of them, or create a channel: POST /api/messaging/channels.',
    );
  }

  private isFormer(place: Place, channel: Channel): boolean {
    return this.ids.isOlder(channel.createdAt) && place.fits(channel, true);
  }
}

function directPlace(serverId: string, user1: string, user2: string): Place {
  return {
    purpose: 'direct channel',
    parts: [serverId, user1, user2],
    former: idFromText(`direct:${serverId}:${user1}:${user2}`),
    fits: ({ serverId: server, channelType, participants }) =>
      server === serverId &&
      channelType === 'DM' &&
      participants.length === 2 &&
      participants.every(({ entityId }) => entityId === user1 || entityId === user2),
  };
}
