import { Body, Controller, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { PathIdsGuard, ApiErrors, Scope, UuidPipe, FromCaller, type Caller } from '../../../core/http/index.js';
import { FoundMessagesView, presentFound, SearchMessagesBody, toSearchQuery } from './message-search.dto.js';
import { MessageSearchService } from './message-search.service.js';
import { MessageView, UpdateMessageBody } from './messages.dto.js';
import { presentMessage } from './messages.presenter.js';
import { MessagesService } from './messages.service.js';

/** Messages by their own ids. */
@Controller('api/messaging')
@UseGuards(PathIdsGuard)
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly searching: MessageSearchService,
  ) {}

  /** A message. */
  @Get('messages/:messageId')
  @ApiErrors('MESSAGE_NOT_FOUND')
  async read(@Param('messageId', UuidPipe) messageId: string): Promise<MessageView> {
    return presentMessage(await this.messages.require(messageId));
  }

  /** Changes a message and the agents' memories of it. */
  @Patch('messages/:messageId')
  @ApiErrors('MESSAGE_NOT_FOUND')
  async update(
    @Param('messageId', UuidPipe) messageId: string,
    @Body() { content, metadata }: UpdateMessageBody,
    @FromCaller() caller: Caller,
  ): Promise<MessageView> {
    return presentMessage(await this.messages.update(messageId, { content, metadata }, caller));
  }

  /** Searches messages by words, channel, author and time. */
  @Post('messages/search')
  @HttpCode(200)
  @Scope('read')
  async search(@Body() body: SearchMessagesBody): Promise<FoundMessagesView> {
    return presentFound(await this.searching.search(toSearchQuery(body)));
  }
}
