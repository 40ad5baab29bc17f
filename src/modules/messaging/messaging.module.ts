import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentsModule } from '../agents/index.js';
import { ChannelKeepers } from './channel-keepers.js';
import { ChannelMessagesController } from './channel-messages.controller.js';
import { ChannelMessagesService } from './channel-messages.service.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';
import { MESSAGING_ENTITIES } from './entities/index.js';
import { MessagesService } from './messages.service.js';
import { Obligations } from './obligations.js';
import { Replies } from './replies.js';
import { ReplyStreams } from './reply-streams.js';
import { ChannelsRepository } from './repositories/channels.repository.js';
import { MessagesRepository } from './repositories/messages.repository.js';

const EXPORTED = [ChannelsService, MessagesService, ChannelMessagesService, ChannelKeepers, Obligations, Replies, ReplyStreams];

@Module({
  imports: [TypeOrmModule.forFeature(MESSAGING_ENTITIES), AgentsModule],
  controllers: [ChannelsController, ChannelMessagesController],
  providers: [...EXPORTED, ChannelsRepository, MessagesRepository],
  exports: EXPORTED,
})
export class MessagingModule {}
