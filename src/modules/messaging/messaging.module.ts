import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OwnersModule } from '../../core/http/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { AgentsModule } from '../agents/index.js';
import { AttachmentKeepers } from './attachments.js';
import { AgentParticipation } from './agent-participation.js';
import { ChannelAudience } from './channel-audience.js';
import { ChannelKeepers } from './channel-keepers.js';
import { ChannelOwners } from './channel-owners.js';
import { ChannelMessagesController } from './channel-messages.controller.js';
import { ChannelMessagesService } from './channel-messages.service.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';
import { DerivedChannels } from './derived-channels.js';
import { DirectoryController } from './directory.controller.js';
import { MESSAGING_ENTITIES } from './entities/index.js';
import { ExternalMessagesController } from './external/external.controller.js';
import { ExternalMessagesService } from './external/external.service.js';
import { MessageSearchService } from './message-search.service.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { Obligations } from './obligations.js';
import { People } from './people.js';
import { Replies } from './replies.js';
import { ReplyStreams } from './reply-streams.js';
import { ChannelsRepository } from './repositories/channels.repository.js';
import { MessageSearchRepository } from './repositories/message-search.repository.js';
import { MessagesRepository } from './repositories/messages.repository.js';
import { PeopleRepository } from './repositories/people.repository.js';
import { ServersRepository } from './repositories/servers.repository.js';
import { ServersController } from './servers.controller.js';
import { ServersService } from './servers.service.js';

const EXPORTED = [
  ServersService,
  ChannelsService,
  MessagesService,
  ChannelMessagesService,
  ChannelAudience,
  ChannelKeepers,
  DerivedChannels,
  People,
  AttachmentKeepers,
  Obligations,
  Replies,
  ReplyStreams,
];

@Module({
  imports: [OwnersModule, VaultModule, TypeOrmModule.forFeature(MESSAGING_ENTITIES), AgentsModule],
  controllers: [
    ServersController,
    DirectoryController,
    ChannelsController,
    ChannelMessagesController,
    MessagesController,
    ExternalMessagesController,
  ],
  providers: [
    ...EXPORTED,
    AgentParticipation,
    ChannelOwners,
    ExternalMessagesService,
    MessageSearchService,
    ServersRepository,
    MessageSearchRepository,
    ChannelsRepository,
    MessagesRepository,
    PeopleRepository,
  ],
  exports: EXPORTED,
})
export class MessagingModule {}
