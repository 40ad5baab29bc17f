import { Injectable } from '@nestjs/common';
import { AppError } from '../../../core/errors/index.js';
import { vouchesFor, type Users } from '../../../core/http/index.js';
import { DEFAULT_SERVER_ID, isUuid } from '../../../core/ids/index.js';
import { firstCharacters } from '../../../core/text/index.js';
import { AgentsService } from '../../agents/index.js';
import type { Channel } from '../channels/channel-types.js';
import { ChannelMessagesService, type ChannelMessage } from './channel-messages.service.js';
import { ChannelsService } from '../channels/channels.service.js';
import { DerivedChannels, type LocatedChannel } from '../channels/derived-channels.js';
import type { Message } from './messages.types.js';
import { Replies } from '../replies/replies.js';
import { UserIds } from '../channels/user-ids.js';

/** A message from another platform. */
export interface ExternalMessage {
  readonly platform: string;
  /** UUID of a channel, or the id of a channel on the platform. */
  readonly channel: string;
  readonly serverId?: string;
  /** UUID of a user, or the id of a user on the platform. */
  readonly author: string;
  readonly authorName: string | null;
  readonly content: string;
  readonly rawMessage: Record<string, unknown> | null;
  /** Its id on the platform. */
  readonly sourceId: string | null;
  readonly inReplyTo: string | null;
  readonly metadata: Record<string, unknown>;
  /** The agent that replies. */
  readonly agentId?: string;
}

/** A message and the reply to it; `replyId` and `response` are null when no agent replies. */
export interface ExternalReply {
  readonly message: Message;
  readonly replyId: string | null;
  readonly response: string | null;
}

/** A prompt for an agent. */
export interface ExternalPrompt {
  readonly agentId: string;
  /** UUID of a user, or any name. */
  readonly user: string;
  readonly prompt: string;
  /** As in `ExternalMessage`; the direct channel of the user and the agent when absent. */
  readonly channel?: string;
}

/** For programs that bridge Parley and another platform. `users` are the users for whom the program's credential vouches. */
@Injectable()
export class ExternalMessagesService {
  constructor(
    private readonly channelMessages: ChannelMessagesService,
    private readonly channels: ChannelsService,
    private readonly derived: DerivedChannels,
    private readonly userIds: UserIds,
    private readonly replies: Replies,
    private readonly agents: AgentsService,
  ) {}

  /** Stores messages in order; messages that are already stored are skipped. @throws AppError as `ChannelMessagesService.post` */
  async ingest(messages: readonly ExternalMessage[], users: Users): Promise<string[]> {
    const ids: string[] = [];
    for (const message of messages) {
      const command = await this.toChannelMessage(message, await this.locate(message), users);
      ids.push((await this.channelMessages.post(command)).message.id);
    }
    return ids;
  }

  /** Stores a message and waits for the reply. @throws AppError AGENT_NOT_FOUND when no agent would reply, and the error of a failed turn */
  async ask(message: ExternalMessage, users: Users, signal: AbortSignal): Promise<ExternalReply> {
    const place = await this.locate(message);
    const named = message.agentId ?? (place.channel ? undefined : this.anyRunningAgent());
    const command = await this.toChannelMessage({ ...message, agentId: named }, place, users);
    await this.channelMessages.requireResponder(command);
    const { posted, outcome } = await this.replies.ask(place.id, () => this.channelMessages.post(command), signal);
    const [reply] = outcome.replies;
    return { message: posted.message, replyId: reply?.messageId ?? null, response: reply?.content.text ?? null };
  }

  /** @throws AppError AGENT_NOT_FOUND, and the error of a failed turn */
  async prompt({ agentId, user, prompt, channel }: ExternalPrompt, users: Users, signal: AbortSignal): Promise<string | null> {
    const agent = this.agents.requireRunning(agentId);
    const author = this.userIds.fromName(user);
    const { response } = await this.ask(
      {
        platform: 'complete',
        channel: channel ?? (await this.derived.direct(author, agent.id, users)).id,
        author,
        authorName: null,
        content: prompt,
        rawMessage: null,
        sourceId: null,
        inReplyTo: null,
        metadata: { isDm: true },
        agentId: agent.id,
      },
      users,
      signal,
    );
    return response;
  }

  /** @throws AppError VALIDATION_ERROR when the named server does not hold the named channel */
  private async locate({ platform, channel: named, serverId }: ExternalMessage): Promise<LocatedChannel> {
    if (!isUuid(named)) return this.derived.ofPlatform(platform, named, serverId);
    const id = named.toLowerCase();
    const channel = await this.channels.find(id);
    if (channel && serverId !== undefined && serverId.toLowerCase() !== channel.serverId) {
      throw new AppError(
        'VALIDATION_ERROR',
        `message_server_id must be the server of channel ${id}`,
        `Send ${channel.serverId}, or omit message_server_id.`,
      );
    }
    return { id, channel };
  }

  private async toChannelMessage(external: ExternalMessage, { id, channel }: LocatedChannel, users: Users): Promise<ChannelMessage> {
    const { platform, channel: place, author, agentId, sourceId, serverId, metadata, ...message } = external;
    if (agentId !== undefined) this.agents.requireRunning(agentId);
    const authorId = this.userIds.fromPlatform(platform, author);
    if (channel) await this.addParticipant(channel, authorId, users);
    return {
      ...message,
      users,
      channelId: id,
      authorId,
      authorKind: 'user',
      // A new channel is created on the default server.
      serverId: serverId ?? channel?.serverId ?? DEFAULT_SERVER_ID,
      ...(isUuid(place) ? {} : { mirrors: { sourceType: platform, sourceId: place } }),
      sourceType: platform,
      sourceId,
      clientMessageId: sourceId === null ? null : firstCharacters(`${platform}:${sourceId}`, 255),
      metadata: { ...metadata, ...(agentId === undefined ? {} : { targetAgentId: agentId.toLowerCase() }) },
    };
  }

  /** Adds the author to the channel if the caller's credential vouches for all of the channel's users. */
  private async addParticipant(channel: Channel, authorId: string, users: Users): Promise<void> {
    const people = channel.participants.filter(({ kind }) => kind === 'user').map(({ entityId }) => entityId);
    if (people.length === 0 || ![authorId, ...people].every((id) => vouchesFor(users, id))) return;
    if (!this.agents.find(authorId)) await this.channels.join(channel, authorId.toLowerCase(), users);
  }

  private anyRunningAgent(): string {
    const agent = this.agents.list().find(({ status }) => status === 'active');
    if (!agent) {
      throw new AppError('AGENT_NOT_FOUND', 'No agent is running, so no reply would come.', 'Start an agent and send the message again.');
    }
    return agent.id;
  }
}
