import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { AllowRestricted, AllowUserTokens, ApiErrors, FromCaller, NoEnvelope, type Caller } from '../../core/http/index.js';
import type { Channel } from '../../modules/messaging/index.js';
import {
  agentsIn,
  CallerChannels,
  ForProtocol,
  KnownFields,
  ProtocolConversations,
  refuseField,
  type ProtocolMessage,
} from '../../modules/protocols/index.js';
import { ConversationItems } from './conversation-items.js';
import {
  OpenAiConversationBody,
  NewConversationBody,
  NewItemsBody,
  type OpenAiConversationView,
  type DeletedConversationView,
} from './conversations.dto.js';
import { presentItems, presentMessage } from './input-items.js';
import { OpenAiErrors } from './openai-errors.js';
import { conversationId, readConversationId } from './response-ids.js';
import { readResponsesInput } from './responses-input.js';
import { ItemListView, ItemsQuery, OpenAiItemView } from './responses.dto.js';
import { StoredResponses } from './stored-responses.js';

/** Conversations, which are channels. The caller reads all to which it has access, and changes those that it opened here. */
@Controller('v1/conversations')
@ForProtocol('openai')
@OpenAiErrors()
@NoEnvelope()
@AllowRestricted()
@AllowUserTokens()
export class OpenAiConversationsController {
  constructor(
    private readonly channels: CallerChannels,
    private readonly conversations: ProtocolConversations,
    private readonly items: ConversationItems,
    private readonly stored: StoredResponses,
  ) {}

  /** Creates a conversation. Its agent is that of the first response in it. */
  @Post()
  @HttpCode(200)
  @KnownFields(NewConversationBody)
  async create(@Body() body: NewConversationBody, @FromCaller() caller: Caller): Promise<OpenAiConversationView> {
    const messages = await this.messagesOf(caller, body.items ?? [], false);
    const channel = await this.channels.create(caller, 'openai', body.metadata ?? {});
    if (messages.length > 0) await this.channels.add(caller, channel, messages);
    return present(channel);
  }

  /** Returns a conversation. */
  @Get(':conversationId')
  @ApiErrors('CONVERSATION_NOT_FOUND')
  async read(@Param('conversationId') id: string, @FromCaller() caller: Caller): Promise<OpenAiConversationView> {
    return present(await this.requireReadable(caller, id));
  }

  /** Replaces the metadata of a conversation. */
  @Post(':conversationId')
  @HttpCode(200)
  @KnownFields(OpenAiConversationBody)
  @ApiErrors('CONVERSATION_NOT_FOUND')
  async update(
    @Param('conversationId') id: string,
    @Body() body: OpenAiConversationBody,
    @FromCaller() caller: Caller,
  ): Promise<OpenAiConversationView> {
    const channel = await this.require(caller, id);
    return present(body.metadata === undefined ? channel : await this.channels.rename(channel, body.metadata ?? {}));
  }

  /** Deletes a conversation with all that was said in it. */
  @Delete(':conversationId')
  @ApiErrors('CONVERSATION_NOT_FOUND')
  async delete(@Param('conversationId') id: string, @FromCaller() caller: Caller): Promise<DeletedConversationView> {
    await this.channels.delete(await this.require(caller, id));
    return { id, object: 'conversation.deleted', deleted: true };
  }

  /** Lists what was said in a conversation, the newest first. */
  @Get(':conversationId/items')
  @ApiErrors('CONVERSATION_NOT_FOUND', 'ITEM_NOT_FOUND')
  async list(@Param('conversationId') id: string, @Query() query: ItemsQuery, @FromCaller() caller: Caller): Promise<ItemListView> {
    return this.items.list(caller, await this.requireReadable(caller, id), query);
  }

  /** Adds messages to a conversation, to which no agent replies. */
  @Post(':conversationId/items')
  @HttpCode(200)
  @KnownFields(NewItemsBody)
  @ApiErrors('CONVERSATION_NOT_FOUND')
  async add(@Param('conversationId') id: string, @Body() body: NewItemsBody, @FromCaller() caller: Caller): Promise<ItemListView> {
    const channel = await this.require(caller, id);
    const messages = await this.messagesOf(caller, body.items, agentsIn(channel).length > 0);
    const added = await this.channels.add(caller, channel, messages);
    return presentItems(added.sort((one, other) => one.seq - other.seq).map(presentMessage), added.length);
  }

  /** Returns an item of a conversation. */
  @Get(':conversationId/items/:itemId')
  @ApiErrors('CONVERSATION_NOT_FOUND', 'ITEM_NOT_FOUND')
  async item(@Param('conversationId') id: string, @Param('itemId') itemId: string, @FromCaller() caller: Caller): Promise<OpenAiItemView> {
    return this.items.get(caller, await this.requireReadable(caller, id), itemId);
  }

  /** Deletes a message of a conversation. */
  @Delete(':conversationId/items/:itemId')
  @ApiErrors('CONVERSATION_NOT_FOUND', 'ITEM_NOT_FOUND')
  async deleteItem(
    @Param('conversationId') id: string,
    @Param('itemId') itemId: string,
    @FromCaller() caller: Caller,
  ): Promise<OpenAiConversationView> {
    const channel = await this.require(caller, id);
    await this.items.delete(caller, channel, itemId);
    return present(channel);
  }

  private async require(caller: Caller, id: string): Promise<Channel> {
    const channelId = readConversationId(id);
    const channel = channelId === undefined ? undefined : await this.channels.find(caller, channelId);
    if (channel) return channel;
    await this.requireReadable(caller, id);
    throw new AppError(
      'CONVERSATION_NOT_FOUND',
      `There is no conversation ${id} that can be changed here.`,
      'It was opened by another key or through another interface: change it there.',
    );
  }

  private async requireReadable(caller: Caller, id: string): Promise<Channel> {
    const channelId = readConversationId(id);
    const opened = channelId === undefined ? undefined : await this.channels.find(caller, channelId);
    const channel = opened ?? (channelId === undefined ? undefined : await this.conversations.readable(caller, channelId));
    if (channel) return channel;
    throw new AppError('CONVERSATION_NOT_FOUND', `There is no conversation ${id}.`, 'It was deleted, or the caller has no access to it.');
  }

  private async messagesOf(caller: Caller, items: readonly unknown[], hasAgent: boolean): Promise<readonly ProtocolMessage[]> {
    const { messages, instructions } = await readResponsesInput(items, (itemId) => this.stored.refer(caller, itemId), 'items');
    if (instructions.length > 0) refuseField('items', 'must not have messages of the system', 'Send instructions with each response.');
    for (const message of messages) {
      const hasCalls = message.role === 'assistant' && message.calls !== undefined;
      if (message.role === 'tool' || hasCalls) refuseField('items', 'must be messages', 'Calls of functions belong to responses.');
      const needsAgent = message.role === 'assistant' || message.files !== undefined;
      if (needsAgent && !hasAgent) {
        refuseField(
          'items',
          'must be texts of the user',
          'Others can be added once the conversation has an agent, with its first response.',
        );
      }
    }
    return messages;
  }
}

function present({ id, createdAt, metadata }: Channel): OpenAiConversationView {
  const names = metadata['names'];
  return {
    id: conversationId(id),
    object: 'conversation',
    created_at: Math.floor(createdAt / 1000),
    metadata: typeof names === 'object' && names !== null ? (names as Record<string, string>) : {},
  };
}
