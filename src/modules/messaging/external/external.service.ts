import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { UnitOfWork } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { DEFAULT_SERVER_ID } from '../../../core/ids/index.js';
import { append } from '../../../core/journal/index.js';
import { AgentsService } from '../../agents/index.js';
import { ChannelMessagesService, type ChannelMessage } from '../channel-messages.service.js';
import { ChannelsService } from '../channels.service.js';
import { MessagesService } from '../messages.service.js';
import { Replies } from '../replies.js';
import type { Message } from '../messages.types.js';

/** A message that comes from another platform; its ids are those it has here. */
export interface ExternalMessage {
  readonly platform: string;
  readonly channelId: string;
  readonly serverId?: string;
  readonly authorId: string;
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

/** A question to an agent. */
export interface Prompt {
  readonly agentId: string;
  readonly userId: string;
  readonly prompt: string;
  /** The direct channel of both when it is left out. */
  readonly channelId?: string;
}

/** Word of a client that nothing more comes in answer to a message, or in a channel. */
export interface Completion {
  readonly messageId?: string;
  readonly channelId?: string;
  readonly status: 'completed' | 'failed';
  readonly error?: string;
}

/** Doors for programs that carry messages between Parley and something else. */
@Injectable()
export class ExternalMessagesService {
  constructor(
    private readonly doors: ChannelMessagesService,
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly replies: Replies,
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Stores messages one after another; those that were stored before are not stored again. @throws AppError as every door does */
  async ingest(messages: readonly ExternalMessage[]): Promise<string[]> {
    const ids: string[] = [];
    for (const message of messages) ids.push((await this.doors.post(await this.commandOf(message))).message.id);
    return ids;
  }

  /** Stores a message and waits for the answer to it. @throws AppError AGENT_NOT_FOUND when nobody would answer, and what a turn ends with */
  async ask(message: ExternalMessage, signal: AbortSignal): Promise<{ message: Message; response: string | null }> {
    const channel = await this.channels.find(message.channelId);
    const named = message.agentId ?? (channel ? undefined : this.anyAgent());
    const command = await this.commandOf({ ...message, agentId: named });
    await this.doors.requireResponder(command);
    const { posted, outcome } = await this.replies.waitFor(message.channelId, () => this.doors.post(command), signal);
    return { message: posted.message, response: outcome.replies[0]?.content.text ?? null };
  }

  /** @throws AppError AGENT_NOT_FOUND, and what a turn ends with */
  async prompt({ agentId, userId, prompt, channelId }: Prompt, signal: AbortSignal): Promise<string | null> {
    const agent = this.agents.requireRunning(agentId);
    const id = channelId ?? (await this.channels.direct(userId, agent.id)).id;
    const { response } = await this.ask(
      {
        platform: 'complete',
        channelId: id,
        authorId: userId,
        authorName: null,
        content: prompt,
        rawMessage: null,
        sourceId: null,
        inReplyTo: null,
        metadata: { isDm: true },
        agentId: agent.id,
      },
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

  private async commandOf({ platform, agentId, sourceId, serverId, metadata, ...message }: ExternalMessage): Promise<ChannelMessage> {
    if (agentId !== undefined) this.agents.requireRunning(agentId);
    return {
      ...message,
      authorKind: 'user',
      // A channel that is not there yet is created on the default server.
      serverId: serverId ?? (await this.channels.find(message.channelId))?.serverId ?? DEFAULT_SERVER_ID,
      sourceType: platform,
      sourceId,
      clientMessageId: sourceId === null ? null : `${platform}:${sourceId}`.slice(0, 255),
      metadata: { ...metadata, ...(agentId === undefined ? {} : { targetAgentId: agentId.toLowerCase() }) },
    };
  }

  private anyAgent(): string {
    const agent = this.agents.list().find(({ status }) => status === 'active');
    if (!agent) throw new AppError('AGENT_NOT_FOUND', 'No agent is running, so nobody would answer.', 'Start an agent and send it again.');
    return agent.id;
  }
}
