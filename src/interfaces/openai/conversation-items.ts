import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import type { Caller } from '../../core/http/index.js';
import type { Channel, Message } from '../../modules/messaging/index.js';
import { CallerChannels, StoredExchanges, type StoredExchange } from '../../modules/protocols/index.js';
import { limitOf, presentItems, presentMessage, presentOutputs, type ListedItem } from './input-items.js';
import { readItemId } from './response-ids.js';
import { userOf } from './response-settings.js';
import { itemsOf } from './response-state.js';
import type { ItemListView, ItemsQuery } from './responses.dto.js';

/** Messages that are read at a time. */
const PAGE = 50;

/** The items of a conversation: messages, and for replies also the calls of functions and their outputs. */
@Injectable()
export class ConversationItems {
  constructor(
    private readonly channels: CallerChannels,
    private readonly exchanges: StoredExchanges,
  ) {}

  async list(caller: Caller, channel: Channel, query: ItemsQuery): Promise<ItemListView> {
    const { order = 'desc', after } = query;
    const limit = limitOf(query);
    const first = after === undefined ? undefined : await this.messageOf(channel, after);
    // The items of the first message are among those of the page before, up to the item that is named.
    const items: ListedItem[] = [];
    let isBehind = first === undefined;
    for await (const item of this.items(caller, channel, order, first)) {
      if (isBehind) items.push(item);
      if (items.length > limit) break;
      isBehind ||= item.id === after;
    }
    return presentItems(items, limit);
  }

  /** @throws AppError ITEM_NOT_FOUND */
  async get(caller: Caller, channel: Channel, id: string): Promise<ListedItem> {
    const found = (await this.itemsOf(caller, await this.messageOf(channel, id))).find((item) => item.id === id);
    if (found) return found;
    throw notFound(id);
  }

  /** @throws AppError ITEM_NOT_FOUND, VALIDATION_ERROR for an item that is part of a reply */
  async delete(caller: Caller, channel: Channel, id: string): Promise<void> {
    const message = await this.messageOf(channel, id);
    const items = await this.itemsOf(caller, message);
    if (!items.some((item) => item.id === id)) throw notFound(id);
    if (id === presentMessage(message).id) return this.channels.deleteMessage(channel, message.id);
    const stored = await this.exchanges.find(caller, message.id, userOf);
    const isReply = items.at(-1)?.id === id && stored?.reply !== undefined;
    if (isReply) return this.channels.deleteMessage(channel, stored.reply.id);
    throw new AppError('VALIDATION_ERROR', 'The item is part of a reply and cannot be deleted by itself.', 'Delete the response.');
  }

  private async *items(caller: Caller, channel: Channel, order: 'asc' | 'desc', first: Message | undefined): AsyncGenerator<ListedItem> {
    if (first) yield* await this.ordered(caller, first, order);
    let behind = first?.seq;
    for (;;) {
      const messages = await this.channels.page(channel, order, behind, PAGE);
      for (const message of messages) yield* await this.ordered(caller, message, order);
      behind = messages.at(-1)?.seq;
      if (behind === undefined) return;
    }
  }

  private async ordered(caller: Caller, message: Message, order: 'asc' | 'desc'): Promise<ListedItem[]> {
    const items = await this.itemsOf(caller, message);
    return order === 'asc' ? items : items.reverse();
  }

  /** A message, and what was replied to it. A reply is among the items of the message that it replies to. */
  private async itemsOf(caller: Caller, message: Message): Promise<ListedItem[]> {
    if (message.authorKind === 'agent') {
      const asked = message.inReplyTo === null ? undefined : await this.exchanges.find(caller, message.inReplyTo, userOf);
      return asked?.replyId === message.id && asked.record.status === 'done' ? [] : [presentMessage(message)];
    }
    const stored = message.metadata['resent'] === true ? undefined : await this.exchanges.find(caller, message.id, userOf);
    return [presentMessage(message), ...(stored ? repliesOf(stored) : [])];
  }

  /** The message that an item belongs to. @throws AppError ITEM_NOT_FOUND */
  private async messageOf(channel: Channel, id: string): Promise<Message> {
    const reference = readItemId(id);
    const message = reference && (await this.channels.message(reference.messageId));
    if (message?.channelId === channel.id) return message;
    throw notFound(id);
  }
}

function repliesOf(stored: StoredExchange): ListedItem[] {
  const hearsReasoning = stored.message.metadata['reasoning'] === true;
  return stored.record.rounds.flatMap((round) => [
    ...itemsOf(stored, round, hearsReasoning).map((item) => ({ ...item })),
    ...presentOutputs(stored.message.id, round),
  ]);
}

function notFound(id: string): AppError {
  return new AppError('ITEM_NOT_FOUND', `The conversation has no item ${id}.`, 'GET /v1/conversations/{id}/items lists them.');
}
