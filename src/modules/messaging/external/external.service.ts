import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { UnitOfWork } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { vouchesFor, type Users } from '../../../core/http/index.js';
import { DEFAULT_SERVER_ID, isUuid } from '../../../core/ids/index.js';
import { append } from '../../../core/journal/index.js';
import { AgentsService } from '../../agents/index.js';
import { ChannelMessagesService, type ChannelMessage } from '../channel-messages.service.js';
import type { Channel } from '../channel-types.js';
import { ChannelsService } from '../channels.service.js';
import { DerivedChannels, type Located } from '../derived-channels.js';
import { MessagesService } from '../messages.service.js';
import { People } from '../people.js';
import { Replies } from '../replies.js';
import type { Message } from '../messages.types.js';

/** A message that comes from another platform. */
export interface ExternalMessage {
  readonly platform: string;
  /** A channel of ours by its UUID, or one of the platform by its id there. */
  readonly channel: string;
  readonly serverId?: string;
  /** A user of ours by the UUID, or one of the platform by the id there. */
  readonly author: string;
  readonly authorName: string | null;
  readonly content: string;
  readonly rawMessage: Record<string, unknown> | null;
  /** Its id there. */
  readonly sourceId: string | null;
  readonly inReplyTo: string | null;
  readonly metadata: Record<string, unknown>;
  /** The agent that is to answer. */
  readonly agentId?: string;
}

/** A message and the answer to it; null when the agent stays silent. */
export interface ExternalAnswer {
  readonly message: Message;
  readonly replyId: string | null;
  readonly response: string | null;
}

/** A question to an agent. */
export interface Prompt {
  readonly agentId: string;
  /** A user of ours by the UUID, or any name. */
  readonly user: string;
  readonly prompt: string;
  /** As that of a message; the direct channel of both when it is left out. */
  readonly channel?: string;
}

/** Word of a client that nothing more comes in answer to a message, or in a channel. */
export interface Completion {
  readonly messageId?: string;
  readonly channelId?: string;
  readonly status: 'completed' | 'failed';
  readonly error?: string;
}

/** Doors for programs that carry messages between Parley and something else; `users` are those whom a program's credential vouches for. */
@Injectable()
export class ExternalMessagesService {
  constructor(
    private readonly doors: ChannelMessagesService,
    private readonly channels: ChannelsService,
    private readonly derived: DerivedChannels,
    private readonly people: People,
    private readonly messages: MessagesService,
    private readonly replies: Replies,
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Stores messages one after another; those that were stored before are not stored again. @throws AppError as every door does */
  async ingest(messages: readonly ExternalMessage[], users: Users): Promise<string[]> {
    const ids: string[] = [];
    for (const message of messages) {
      const command = await this.commandOf(message, await this.placeOf(message), users);
      ids.push((await this.doors.post(command)).message.id);
    }
    return ids;
  }

  /** Stores a message and waits for the answer to it. @throws AppError AGENT_NOT_FOUND when nobody would answer, and what a turn ends with */
  async ask(message: ExternalMessage, users: Users, signal: AbortSignal): Promise<ExternalAnswer> {
    const place = await this.placeOf(message);
    const named = message.agentId ?? (place.channel ? undefined : this.anyAgent());
    const command = await this.commandOf({ ...message, agentId: named }, place, users);
    await this.doors.requireResponder(command);
    const { posted, outcome } = await this.replies.waitFor(place.id, () => this.doors.post(command), signal);
    const [reply] = outcome.replies;
    return { message: posted.message, replyId: reply?.messageId ?? null, response: reply?.content.text ?? null };
  }

  /** @throws AppError AGENT_NOT_FOUND, and what a turn ends with */
  async prompt({ agentId, user, prompt, channel }: Prompt, users: Users, signal: AbortSignal): Promise<string | null> {
    const agent = this.agents.requireRunning(agentId);
    const author = await this.people.named(user);
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

  /** Tells who listens to the channel. @throws AppError MESSAGE_NOT_FOUND, CHANNEL_NOT_FOUND */
  async complete({ messageId, channelId, status, error }: Completion): Promise<void> {
    const message = messageId === undefined ? undefined : await this.messages.require(messageId);
    const { id, serverId } = await this.channels.require(message?.channelId ?? channelId ?? '');
    const entry = { channelId: id, serverId, messageId: message?.id ?? null, status, ...(error === undefined ? {} : { error }) };
    await this.unitOfWork.commit([append('message.completed', id, entry, this.clock.now())]);
  }

  /** @throws AppError VALIDATION_ERROR when the named server is not that of the named channel */
  private async placeOf({ platform, channel: named, serverId }: ExternalMessage): Promise<Located> {
    if (!isUuid(named)) return this.derived.ofPlatform(platform, named, serverId);
    const id = named.toLowerCase();
    const channel = await this.channels.find(id);
    if (channel && serverId !== undefined && serverId.toLowerCase() !== channel.serverId) {
      throw new AppError(
        'VALIDATION_ERROR',
        `message_server_id must be the server of channel ${id}`,
        `That is ${channel.serverId}; or leave message_server_id out.`,
      );
    }
    return { id, channel };
  }

  private async commandOf(external: ExternalMessage, { id, channel }: Located, users: Users): Promise<ChannelMessage> {
    const { platform, channel: place, author, agentId, sourceId, serverId, metadata, ...message } = external;
    if (agentId !== undefined) this.agents.requireRunning(agentId);
    const authorId = await this.people.onPlatform(platform, author);
    if (channel) await this.list(channel, authorId, users);
    return {
      ...message,
      users,
      channelId: id,
      authorId,
      authorKind: 'user',
      // A channel that is not there yet is created on the default server.
      serverId: serverId ?? channel?.serverId ?? DEFAULT_SERVER_ID,
      ...(isUuid(place) ? {} : { mirrors: { sourceType: platform, sourceId: place } }),
      sourceType: platform,
      sourceId,
      clientMessageId: sourceId === null ? null : `${platform}:${sourceId}`.slice(0, 255),
      metadata: { ...metadata, ...(agentId === undefined ? {} : { targetAgentId: agentId.toLowerCase() }) },
    };
  }

  /** Authors on the other platform become participants of the channel, as far as the caller's credential vouches for everybody there. */
  private async list(channel: Channel, authorId: string, users: Users): Promise<void> {
    const people = channel.participants.filter(({ kind }) => kind === 'user').map(({ entityId }) => entityId);
    if (people.length === 0 || ![authorId, ...people].every((id) => vouchesFor(users, id))) return;
    if (!this.agents.find(authorId)) await this.channels.join(channel, authorId.toLowerCase(), users);
  }

  private anyAgent(): string {
    const agent = this.agents.list().find(({ status }) => status === 'active');
    if (!agent) throw new AppError('AGENT_NOT_FOUND', 'No agent is running, so nobody would answer.', 'Start an agent and send it again.');
    return agent.id;
  }
}
