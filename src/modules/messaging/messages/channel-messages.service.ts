import { Injectable } from '@nestjs/common';
import { AppError } from '../../../core/errors/index.js';
import { vouchesFor, type Users } from '../../../core/http/index.js';
import { isUuid } from '../../../core/ids/index.js';
import { AgentsService } from '../../agents/index.js';
import { parseChannelType, type Channel } from '../channels/channel-types.js';
import { ChannelsService } from '../channels/channels.service.js';
import { GENERAL_CHANNEL_ID } from '../channels/general-channel.js';
import { MessageHooks } from './message-hooks.js';
import { MessagesService } from './messages.service.js';
import type { PostResult, PostMessage } from './messages.types.js';

/** A message for a channel that may not exist yet: the first message of a new conversation creates it. */
export interface ChannelMessage extends Omit<PostMessage, 'vouched'> {
  /** Users for whom the sender's credential vouches. */
  readonly users: Users;
  readonly serverId?: string;
  /** The channel of another platform that a new channel mirrors. */
  readonly mirrors?: { readonly sourceType: string; readonly sourceId: string };
}

/** Posts messages to a channel by its id, for all interfaces: checks and channel creation before `MessagesService.post`. */
@Injectable()
export class ChannelMessagesService {
  constructor(
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly agents: AgentsService,
    private readonly hooks: MessageHooks,
  ) {}

  /**
   * Posts as a user, creating the channel when a server is named and the channel does not exist (contract 1.9).
   *
   * @throws AppError CHANNEL_NOT_FOUND when it does not exist and no server was named, and what `MessagesService.post` throws
   */
  async post(message: ChannelMessage): Promise<PostResult> {
    await this.findOrCreateChannel(message);
    return this.messages.post(commandOf(message));
  }

  /**
   * Posts as an agent.
   *
   * @throws AppError as `post`; VALIDATION_ERROR when the named server does not hold the channel; MESSAGE_EXISTS for the id of a
   *   pending reply
   */
  async submit(message: ChannelMessage): Promise<PostResult> {
    await this.rejectReservedId(message.id?.toLowerCase());
    const channel = await this.channels.require(message.channelId);
    if (message.serverId !== undefined && message.serverId.toLowerCase() !== channel.serverId) {
      throw new AppError(
        'VALIDATION_ERROR',
        `server_id must be the server of channel ${channel.id}`,
        `Send ${channel.serverId}, or omit server_id.`,
      );
    }
    return this.messages.post({
      ...commandOf(message),
      authorName: message.authorName ?? this.agents.find(message.authorId)?.name ?? null,
    });
  }

  /** Refuses a request that waits for a reply in a channel without a running agent. @throws AppError AGENT_NOT_FOUND */
  async requireResponder(message: ChannelMessage): Promise<void> {
    const channel = await this.channels.find(message.channelId);
    const target = targetOf(message.metadata ?? {});
    if (!channel && message.serverId === undefined) await this.channels.require(message.channelId);
    const present = [...(channel?.participants.map(({ entityId }) => entityId) ?? []), ...(target === undefined ? [] : [target])];
    const hasResponder = present.some((entityId) => this.agents.find(entityId)?.status === 'active');
    if (!hasResponder) {
      throw new AppError(
        'AGENT_NOT_FOUND',
        'No running agent takes part in this channel, so no reply would come.',
        'Add an agent to the channel, or name one in metadata.targetAgentId of its first message.',
      );
    }
  }

  /** Reply ids are derived from message ids; a message with such an id would prevent the reply from being stored. */
  private async rejectReservedId(id: string | undefined): Promise<void> {
    if (id === undefined || !(await this.hooks.reservesId(id))) return;
    throw new AppError('MESSAGE_EXISTS', 'This id is reserved for a pending reply.', `Message ${id}; send a new id for a new message.`);
  }

  private async findOrCreateChannel(message: ChannelMessage): Promise<Channel> {
    const existing = await this.channels.find(message.channelId);
    const target = targetOf(message.metadata ?? {});
    if (existing) {
      // A named agent that is not a participant joins; otherwise it would never see the message.
      return target !== undefined && this.agents.find(target) ? this.channels.join(existing, target) : existing;
    }
    // Only the server start creates the general channel.
    const isGeneral = message.channelId.toLowerCase() === GENERAL_CHANNEL_ID;
    if (message.serverId === undefined || isGeneral) return this.channels.require(message.channelId);
    const metadata = message.metadata ?? {};
    const word = metadata['channelType'] ?? metadata['channel_type'];
    const direct = metadata['isDm'] === true || word === 'DM';
    const type = (direct ? parseChannelType('DM') : parseChannelType(typeof word === 'string' ? word : 'GROUP')) ?? {
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
      // A concurrent first message created the channel.
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
