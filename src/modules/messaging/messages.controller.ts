import { Body, Controller, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { ForLimited, PathIdsGuard, Refuses, Scope, UuidPipe, VouchedUsers, type Users } from '../../core/http/index.js';
import { CreatedId } from '../../core/idempotency/index.js';
import { ChannelMessagesService } from './channel-messages.service.js';
import { FoundMessagesView, presentFound, SearchMessagesBody, toSearchQuery } from './message-search.dto.js';
import { MessageSearchService } from './message-search.service.js';
import { MessageView, toMessageChange, UpdateActionBody, UpdateMessageBody } from './messages.dto.js';
import { presentMessage } from './messages.presenter.js';
import { MessagesService } from './messages.service.js';
import { SubmitBody, toCommand } from './submit.dto.js';

/** Messages by their own ids, and those that agents write. */
@Controller('api/messaging')
@UseGuards(PathIdsGuard)
export class MessagesController {
  constructor(
    private readonly doors: ChannelMessagesService,
    private readonly messages: MessagesService,
    private readonly searching: MessageSearchService,
  ) {}

  /** Posts a message in an agent's name. */
  @Post(['submit', 'action'])
  @ForLimited()
  @Refuses('CHANNEL_NOT_FOUND', 'MESSAGE_EXISTS')
  async submit(@Body() body: SubmitBody, @VouchedUsers() users: Users, @CreatedId() createdId?: string): Promise<MessageView> {
    const command = toCommand(body);
    const { message } = await this.doors.submit({ ...command, users, id: command.id ?? createdId });
    return presentMessage(message);
  }

  /** Changes a message that an agent has written, for example while its action goes on. */
  @Patch('action/:messageId')
  @Refuses('MESSAGE_NOT_FOUND')
  async updateAction(
    @Param('messageId', UuidPipe) messageId: string,
    @Body() body: UpdateActionBody,
    @VouchedUsers() users: Users,
  ): Promise<MessageView> {
    return presentMessage(await this.messages.update(messageId, toMessageChange(body), users));
  }

  /** A message. */
  @Get('messages/:messageId')
  @Refuses('MESSAGE_NOT_FOUND')
  async read(@Param('messageId', UuidPipe) messageId: string): Promise<MessageView> {
    return presentMessage(await this.messages.require(messageId));
  }

  /** Changes the text of a message; agents that remember it remember the new text. */
  @Patch('messages/:messageId')
  @Refuses('MESSAGE_NOT_FOUND')
  async update(
    @Param('messageId', UuidPipe) messageId: string,
    @Body() body: UpdateMessageBody,
    @VouchedUsers() users: Users,
  ): Promise<MessageView> {
    return presentMessage(await this.messages.update(messageId, toMessageChange(body), users));
  }

  /** Searches messages by words, channel, author and time. */
  @Post('messages/search')
  @HttpCode(200)
  @Scope('read')
  async search(@Body() body: SearchMessagesBody): Promise<FoundMessagesView> {
    return presentFound(await this.searching.search(toSearchQuery(body)));
  }
}
