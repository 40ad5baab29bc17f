import { Injectable } from '@nestjs/common';
import { UnitOfWork, type ColumnsOf } from '../../../core/database/index.js';
import { append, entryPosition } from '../../../core/journal/index.js';
import type { Channel } from '../channels/channel-types.js';
import { toJournalChannel } from '../channels/channel-rows.js';
import { ChannelsService } from '../channels/channels.service.js';
import type { MessageServerRow } from '../entities/index.js';
import { MessagesService } from './messages.service.js';
import type { Message, MessageDraft } from './messages.types.js';
import { ChannelsRepository } from '../channels/channels.repository.js';
import { ServersRepository } from '../servers/servers.repository.js';

/** A message of another installation: complete, with its own times. No agent replies to it. */
export type ImportedMessage = Omit<MessageDraft, 'awaiting'>;

/** Takes over message servers, channels and messages with their ids and times. What exists stays unchanged, so an import can be repeated. */
@Injectable()
export class ConversationImport {
  constructor(
    private readonly serverRows: ServersRepository,
    private readonly channelRows: ChannelsRepository,
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Adds a message server with its agents. @returns whether it is new */
  async addServer(server: ColumnsOf<MessageServerRow>, agentIds: readonly string[]): Promise<boolean> {
    const isNew = (await this.serverRows.find(server.id)) === undefined;
    await this.unitOfWork.commit([
      ...(isNew ? [this.serverRows.insert(server)] : []),
      ...agentIds.map((agentId) => this.serverRows.addAgent(server.id, agentId, server.createdAt)),
    ]);
    return isNew;
  }

  /** Adds a channel, or the participants that an existing one lacks. @returns the channel, and whether it is new */
  async addChannel(channel: Channel): Promise<{ channel: Channel; isNew: boolean }> {
    const present = await this.channels.find(channel.id);
    if (present) {
      const known = new Set(present.participants.map(({ entityId }) => entityId));
      const joining = channel.participants.map(({ entityId }) => entityId).filter((entityId) => !known.has(entityId));
      return { channel: joining.length === 0 ? present : await this.channels.update(channel.id, { joining }), isNew: false };
    }
    await this.unitOfWork.commit([
      this.channelRows.insertChannel(channel),
      ...this.channelRows.insertParticipants(channel.id, channel.participants, channel.createdAt),
      append('channel.created', channel.id, toJournalChannel(channel), channel.createdAt),
    ]);
    return { channel, isNew: true };
  }

  /**
   * Adds messages of one channel, in this order, in one transaction.
   *
   * @param given at most 100
   * @returns all of them as they are stored, and the number of new ones
   */
  async addMessages(given: readonly ImportedMessage[]): Promise<{ stored: Message[]; added: number }> {
    const present = new Map((await this.messages.findAll(given.map(({ id }) => id))).map((message) => [message.id, message]));
    const drafts = given.filter(({ id }) => !present.has(id)).map((message): MessageDraft => ({ ...message, awaiting: [] }));
    const insertions = drafts.map((draft) => this.messages.insertionStatements(draft));
    const outcomes = insertions.length === 0 ? [] : await this.unitOfWork.commit(insertions.flat());
    let at = 0;
    for (const [index, draft] of drafts.entries()) {
      const { offset, seq } = entryPosition(outcomes[at]);
      present.set(draft.id, { ...draft, offset, seq });
      at += insertions[index]!.length;
    }
    return { stored: given.flatMap(({ id }) => present.get(id) ?? []), added: drafts.length };
  }
}
