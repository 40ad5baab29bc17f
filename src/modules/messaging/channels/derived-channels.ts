import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import type { Users } from '../../../core/http/index.js';
import { DEFAULT_SERVER_ID, InstallationIds } from '../../../core/ids/index.js';
import { agentsIn, type Channel } from './channel-types.js';
import { ChannelsService } from './channels.service.js';

/** Identifies a channel by its purpose instead of an id. */
interface ChannelKey {
  readonly purpose: string;
  readonly parts: readonly string[];
  /** Whether a channel with a derived id still serves this purpose; callers may have changed it. */
  matches(channel: Channel): boolean;
}

/** A channel, or the id with which to create it. */
export interface LocatedChannel {
  readonly id: string;
  readonly channel?: Channel;
}

// A direct channel that becomes a group is replaced by a new one, each time.
const MAX_IDS = 64;
const MAX_ATTEMPTS = 5;

/**
 * Finds channels whose ids are derived from their purpose. Deriving an id needs the installation's key, so callers cannot create a
 * channel with it beforehand. A channel that no longer serves its purpose is skipped in favour of the next derived id.
 */
@Injectable()
export class DerivedChannels {
  constructor(
    private readonly channels: ChannelsService,
    private readonly ids: InstallationIds,
  ) {}

  /**
   * The direct channel of two users or agents on a server; created if it does not exist. The order of the two does not matter. After a
   * third participant has joined, or one of the two has left, they get a new channel.
   *
   * @param users users for whom the caller's credential vouches
   * @param name  tells several channels of the two apart
   * @throws AppError VALIDATION_ERROR for a channel with oneself, MESSAGE_SERVER_NOT_FOUND
   */
  async direct(one: string, other: string, users: Users, server = DEFAULT_SERVER_ID, name?: string): Promise<Channel> {
    const serverId = server.toLowerCase();
    const [user1 = '', user2 = ''] = [one.toLowerCase(), other.toLowerCase()].sort();
    if (user1 === user2) {
      throw new AppError('VALIDATION_ERROR', 'targetUserId must not be currentUserId', 'A direct channel has two different participants.');
    }
    const key = directChannelKey(serverId, user1, user2, name);
    for (let attempt = 1; ; attempt++) {
      const { id, channel } = await this.locate(key);
      if (channel) return channel.vouched ? channel : this.channels.vouch(channel, users);
      try {
        return await this.channels.create({
          id,
          serverId,
          name: name ?? `DM-${user1}-${user2}`,
          type: 'DM',
          channelType: 'DM',
          metadata: { user1, user2 },
          participants: [user1, user2],
          users,
        });
      } catch (error) {
        // A concurrent request created the channel.
        if (attempt === MAX_ATTEMPTS || !(error instanceof AppError && error.code === 'CONFLICT')) throw error;
      }
    }
  }

  /** The channel that mirrors one of another platform. @param serverId its message server; any when absent */
  ofPlatform(platform: string, sourceId: string, serverId?: string): Promise<LocatedChannel> {
    return this.locate({
      purpose: 'channel of a platform',
      parts: [platform, sourceId],
      matches: (channel) =>
        (serverId === undefined || channel.serverId === serverId.toLowerCase()) &&
        channel.sourceType === platform &&
        channel.sourceId === sourceId,
    });
  }

  /** The channel of an agent's named voice conversation. A channel that another agent has joined does not qualify. */
  ofConversation(agentId: string, name: string): Promise<LocatedChannel> {
    return this.locate({
      purpose: 'conversation',
      parts: [agentId, name],
      matches: (channel) => {
        const agents = agentsIn(channel);
        return channel.serverId === DEFAULT_SERVER_ID && channel.channelType === 'VOICE_DM' && agents.length === 1 && agents[0] === agentId;
      },
    });
  }

  /** The channel of a message server that mirrors one of another platform, read in a transaction. */
  syncedIn(tx: Transaction, serverId: string, sourceType: string, sourceId: string): Promise<LocatedChannel> {
    const key: ChannelKey = {
      purpose: 'synced channel',
      parts: [serverId, sourceId],
      matches: (channel) => channel.serverId === serverId && channel.sourceType === sourceType && channel.sourceId === sourceId,
    };
    return this.resolve(key, (ids) => this.channels.findAllIn(tx, ids));
  }

  private async locate(key: ChannelKey): Promise<LocatedChannel> {
    const first = await this.channels.find(this.ids.of(key.purpose, key.parts));
    if (first && key.matches(first)) return { id: first.id, channel: first };
    return this.resolve(key, (ids) => this.channels.findAll(ids));
  }

  /** The first derived channel that matches, otherwise the first free id. */
  private async resolve(key: ChannelKey, read: (ids: readonly string[]) => Promise<Channel[]>): Promise<LocatedChannel> {
    const ids = Array.from({ length: MAX_IDS }, (_, attempt) => this.ids.of(key.purpose, key.parts, attempt));
    const found = new Map((await read(ids)).map((channel) => [channel.id, channel]));
    const own = ids.flatMap((id) => found.get(id) ?? []).find((channel) => key.matches(channel));
    if (own) return { id: own.id, channel: own };
    const free = ids.find((id) => !found.has(id));
    if (free !== undefined) return { id: free };
    throw new AppError(
      'CONFLICT',
      `${MAX_IDS} channels exist for this purpose, and each has other participants.`,
      'Delete some of them, or create a channel: POST /api/messaging/channels.',
    );
  }
}

function directChannelKey(serverId: string, user1: string, user2: string, name?: string): ChannelKey {
  const parts = [serverId, user1, user2];
  const key = name === undefined ? { purpose: 'direct channel', parts } : { purpose: 'named direct channel', parts: [...parts, name] };
  return {
    ...key,
    matches: ({ serverId: server, channelType, participants }) =>
      server === serverId &&
      channelType === 'DM' &&
      participants.length === 2 &&
      participants.every(({ entityId }) => entityId === user1 || entityId === user2),
  };
}
