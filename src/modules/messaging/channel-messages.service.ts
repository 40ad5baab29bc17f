import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { vouchesFor, type Users } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { ChannelKeepers } from './channel-keepers.js';
import { channelTypeOf, type Channel } from './channel-types.js';
import { ChannelsService, GENERAL_CHANNEL_ID } from './channels.service.js';
import { MessagesService } from './messages.service.js';
import { Obligations } from './obligations.js';
import type { Posted, PostMessage } from './messages.types.js';

/** A message for a channel that may not exist yet: the first message of a new conversation creates it. */
export interface ChannelMessage extends Omit<PostMessage, 'vouched'> {
  /** Whom the credential vouches for that the message came with. */
  readonly users: Users;
  readonly serverId?: string;
  /** What of another platform the channel stands for, when it is created. */
  readonly mirrors?: { readonly sourceType: string; readonly sourceId: string };
}

/** The doors that name a channel: REST, socket and submission. What they share before the one write path. */
@Injectable()
export class ChannelMessagesService {
  constructor(
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly agents: AgentsService,
    private readonly keepers: ChannelKeepers,
    private readonly obligations: Obligations,
  ) {}

  /**
   * Posts as a user, creating the channel when a server is named and the channel does not exist (contract 1.9).
   *
   * @throws AppError CHANNEL_NOT_FOUND when it does not exist and no server was named, and what
   *   `MessagesService.post` and the channel's keeper throw
   */
  async post(message: ChannelMessage): Promise<Posted> {
    const channel = await this.channelFor(message);
    const command = commandOf(message);
    return this.keepers.post(channel, (before) => this.messages.post(command, before));
  }

  /** Posts in an agent's name. @throws AppError as `post`; VALIDATION_ERROR when the named server is another one; MESSAGE_EXISTS for an answer's id */
  async submit(message: ChannelMessage): Promise<Posted> {
    await this.refuseReserved(message.id?.toLowerCase());
    const channel = await this.channels.require(message.channelId);
    if (message.serverId !== undefined && message.serverId.toLowerCase() !== channel.serverId) {
      throw new AppError(
        'VALIDATION_ERROR',
        `server_id must be the server of channel ${channel.id}`,
        `That is ${channel.serverId}; or leave server_id out.`,
      );
    }
    return this.messages.post({
      ...commandOf(message),
      authorName: message.authorName ?? this.agents.find(message.authorId)?.name ?? null,
    });
  }

  /** Refuses to wait for an answer that nobody can give. @throws AppError AGENT_NOT_FOUND */
  async requireResponder(message: ChannelMessage): Promise<void> {
    const channel = await this.channels.find(message.channelId);
    const target = targetOf(message.metadata ?? {});
    if (!channel && message.serverId === undefined) await this.channels.require(message.channelId);
    const present = [...(channel?.participants.map(({ entityId }) => entityId) ?? []), ...(target === undefined ? [] : [target])];
    const able = present.some((entityId) => this.agents.find(entityId)?.status === 'active');
    if (!able) {
      throw new AppError(
        'AGENT_NOT_FOUND',
        'No running agent takes part in this channel, so nobody would answer.',
        'Add an agent to the channel, or name one in metadata.targetAgentId of its first message.',
      );
    }
  }

  /** The id of an answer is known as soon as the question is: with a message under it the answer could not be stored. */
  private async refuseReserved(id: string | undefined): Promise<void> {
    if (id === undefined) return;
    for (const obligation of this.obligations.all()) {
      if (!(await obligation.reserves?.(id))) continue;
      throw new AppError(
        'MESSAGE_EXISTS',
        'This id belongs to an answer that is being made.',
        `Message ${id}; send a new id for a new message.`,
      );
    }
  }

  private async channelFor(message: ChannelMessage): Promise<Channel> {
    const existing = await this.channels.find(message.channelId);
    const target = targetOf(message.metadata ?? {});
    if (existing) {
      // A named agent that is not in the channel yet joins it, instead of silently hearing nothing.
      return target !== undefined && this.agents.find(target) ? this.channels.join(existing, target) : existing;
    }
    // The channel that every agent joins is made by the start alone.
    const isGeneral = message.channelId.toLowerCase() === GENERAL_CHANNEL_ID;
    if (message.serverId === undefined || isGeneral) return this.channels.require(message.channelId);
    const metadata = message.metadata ?? {};
    const word = metadata['channelType'] ?? metadata['channel_type'];
    const direct = metadata['isDm'] === true || word === 'DM';
    const type = (direct ? channelTypeOf('DM') : channelTypeOf(typeof word === 'string' ? word : 'GROUP')) ?? {
      type: 'GROUP',
      channelType: 'GROUP' as const,
    };
    try {
      return await this.channels.create({
        ...type,
        ...message.mirrors,
        id: message.channelId.toLowerCase(),
        serverId: message.serverId.toLowerCase(),
        name: `${direct ? 'DM' : 'Chat'} ${message.channelId.slice(0, 8)}`,
        metadata: { created_by: message.sourceType },
        participants: [message.authorId, ...(target === undefined ? [] : [target])],
        users: message.users,
      });
    } catch (error) {
      // Two first messages at once: the other one created it.
      if (error instanceof AppError && error.code === 'CONFLICT') return this.channels.require(message.channelId);
      throw error;
    }
  }
}

function commandOf({ users, ...message }: ChannelMessage): PostMessage {
  return { ...message, vouched: vouchesFor(users, message.authorId) };
}

function targetOf(metadata: Record<string, unknown>): string | undefined {
  const named = metadata['targetAgentId'] ?? metadata['targetUserId'] ?? metadata['recipientId'];
  return isUuid(named) ? named.toLowerCase() : undefined;
}
