import { Body, Controller, Param, Patch, Post, UseGuards } from '@nestjs/common';
import {
  AllowRestricted,
  OperationId,
  PathIdsGuard,
  ApiErrors,
  UuidPipe,
  FromCaller,
  VouchedUsers,
  type Caller,
  type Users,
} from '../../core/http/index.js';
import { CreatedId } from '../../core/idempotency/index.js';
import { ChannelMessagesService, MessagesService, presentMessage, MessageView } from '../../modules/messaging/index.js';
import { SubmitBody, toCommand, toMessageChange, UpdateActionBody } from './submit.dto.js';

/** Messages posted on behalf of an agent. */
@Controller('api/messaging')
@UseGuards(PathIdsGuard)
export class SubmitController {
  constructor(
    private readonly channelMessages: ChannelMessagesService,
    private readonly messages: MessagesService,
  ) {}

  /** Posts a message on behalf of an agent. */
  @Post(['submit', 'action'])
  @AllowRestricted()
  @OperationId('messagesSubmit')
  @ApiErrors('CHANNEL_NOT_FOUND', 'MESSAGE_EXISTS')
  async submit(@Body() body: SubmitBody, @VouchedUsers() users: Users, @CreatedId() createdId?: string): Promise<MessageView> {
    const command = toCommand(body);
    const { message } = await this.channelMessages.submit({ ...command, users, id: command.id ?? createdId });
    return presentMessage(message);
  }

  /** Updates a message of an agent, for example to show the progress of an action. */
  @Patch('action/:messageId')
  @OperationId('messagesUpdateAction')
  @ApiErrors('MESSAGE_NOT_FOUND')
  async updateAction(
    @Param('messageId', UuidPipe) messageId: string,
    @Body() body: UpdateActionBody,
    @FromCaller() caller: Caller,
  ): Promise<MessageView> {
    return presentMessage(await this.messages.update(messageId, toMessageChange(body), caller));
  }
}
