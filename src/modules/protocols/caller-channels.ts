import { Injectable } from '@nestjs/common';
import { usersOf, type Caller } from '../../core/http/index.js';
import { InstallationIds, newId } from '../../core/ids/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import type { Agent } from '../agents/index.js';
import { MediaService } from '../media/index.js';
import { ChannelsService, MessagesService, type Channel, type Message } from '../messaging/index.js';
import { ownerKey } from './conversation-chain.js';
import type { Protocol } from './protocol.js';
import type { ProtocolMessage } from './protocol-request.js';
import { resentMessage, userOf } from './resent-message.js';

/** Conversations that a caller of a protocol opened, as channels. One that it creates by itself has no agent until a request names one. */
@Injectable()
export class CallerChannels {
  constructor(
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly media: MediaService,
    private readonly unitOfWork: UnitOfWork,
    private readonly ids: InstallationIds,
  ) {}

  /** @param names names and values of the caller */
  create(caller: Caller, protocol: Protocol, names: Readonly<Record<string, unknown>>): Promise<Channel> {
    const id = newId();
    const authorId = userOf(this.ids, { caller }, id);
    return this.channels.create({
      id,
      name: `Conversation (${protocol})`,
      type: 'DM',
      channelType: 'DM',
      metadata: { protocol, user1: authorId, ownedBy: ownerKey(this.ids, caller), names },
      participants: [authorId],
      users: caller.user === undefined ? new Set() : new Set([caller.user.id]),
    });
  }

  /** A channel that the caller opened; undefined for all others, and for one with an agent that the caller may not access. */
  async find(caller: Caller, id: string): Promise<Channel | undefined> {
    const channel = await this.channels.find(id);
    if (channel?.metadata['ownedBy'] !== ownerKey(this.ids, caller)) return undefined;
    const agents = agentsIn(channel);
    return caller.agents === undefined || agents.every((each) => caller.agents?.has(each)) ? channel : undefined;
  }

  /** Lets an agent take part in a channel that has none yet. */
  async invite(channel: Channel, agent: Agent, caller: Caller): Promise<Channel> {
    if (agentsIn(channel).length > 0) return channel;
    const name = `${agent.name} (${String(channel.metadata['protocol'])})`;
    return this.channels.update(channel.id, {
      ...{ name, joining: [agent.id], metadata: { user2: agent.id }, mergeMetadata: true },
      users: usersOf(caller),
    });
  }

  /** Replaces the names and values of the caller. */
  rename(channel: Channel, names: Readonly<Record<string, unknown>>): Promise<Channel> {
    return this.channels.update(channel.id, { metadata: { names }, mergeMetadata: true });
  }

  delete(channel: Channel): Promise<void> {
    return this.channels.delete(channel.id);
  }

  /** Stores messages to which no agent replies. Those of the assistant, and files, need the agent of the channel. */
  async add(caller: Caller, channel: Channel, added: readonly ProtocolMessage[]): Promise<Message[]> {
    const [agentId] = agentsIn(channel);
    const authorId = userOf(this.ids, { caller }, channel.id);
    const protocol = channel.metadata['protocol'] as Protocol;
    const drafts = [];
    for (const message of added) {
      const isUser = message.role === 'user';
      const attachments =
        isUser && message.files && agentId !== undefined
          ? await this.media.storeInline(
              agentId,
              message.files.map((file) => ({ ...file })),
            )
          : [];
      const author = isUser ? { authorId, authorKind: 'user' as const } : { authorId: agentId ?? authorId, authorKind: 'agent' as const };
      const said = { ...author, text: message.text, ...(attachments.length > 0 && { attachments }) };
      drafts.push(this.messages.draft(resentMessage(channel.id, protocol, said), channel));
    }
    await this.unitOfWork.commit(drafts.flatMap((draft) => this.messages.insertionStatements(draft)));
    return this.messages.findAll(drafts.map(({ id }) => id));
  }

  /** A page of the messages of a channel. @param behind position of the message before the page @param order of the page */
  async page(channel: Channel, order: 'asc' | 'desc', behind: number | undefined, limit: number): Promise<Message[]> {
    const seq = behind ?? (order === 'asc' ? 0 : undefined);
    const at = seq === undefined ? {} : order === 'asc' ? { after: { seq } } : { before: { seq } };
    const { messages } = await this.messages.history(channel.id, { limit, ...at });
    return order === 'asc' ? messages.reverse() : messages;
  }

  message(id: string): Promise<Message | undefined> {
    return this.messages.find(id);
  }

  async deleteMessage(channel: Channel, id: string): Promise<void> {
    await this.messages.delete(channel.id, id);
  }
}

/** The agents that take part in a channel. */
export function agentsIn({ participants }: Channel): string[] {
  return participants.flatMap(({ kind, entityId }) => (kind === 'agent' ? [entityId] : []));
}
