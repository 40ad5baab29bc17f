import { Module } from '@nestjs/common';
import { OwnershipModule } from '../../core/http/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { AgentsModule } from '../agents/index.js';
import { MESSAGING_AUDIT } from './messaging.audit.js';
import { MessagingAgentHook } from './messaging-agent-hook.js';
import { ChannelReadAccess } from './channel-read-access.js';
import { ChannelOwnershipResolver } from './channel-ownership-resolver.js';
import { ChannelMessagesController } from './channel-messages.controller.js';
import { ChannelMessagesService } from './channel-messages.service.js';
import { ChannelsController } from './channels.controller.js';
import { ConversationImport } from './conversation-import.js';
import { ChannelsService } from './channels.service.js';
import { ExternalMessagesService } from './external-messages.service.js';
import { GeneralChannel } from './general-channel.js';
import { DerivedChannels } from './derived-channels.js';
import { DirectoryController } from './directory.controller.js';
import { UserChannelsController } from './user-channels.controller.js';
import { MESSAGING_ENTITIES } from './entities/index.js';
import { MessageHooks } from './message-hooks.js';
import { MessagePolicies } from './message-policies.js';
import { MessageSearchService } from './message-search.service.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { UserIds } from './user-ids.js';
import { Replies } from './replies.js';
import { ReplyStreams } from './reply-streams.js';
import { ChannelsRepository } from './repositories/channels.repository.js';
import { MessageSearchRepository } from './repositories/message-search.repository.js';
import { MessagesRepository } from './repositories/messages.repository.js';
import { UserIdsRepository } from './repositories/user-ids.repository.js';
import { ServersRepository } from './repositories/servers.repository.js';
import { ServerChannelList } from './server-channel-list.js';
import { ServersController } from './servers.controller.js';
import { ServersService } from './servers.service.js';
import { MessagingPersonalData } from './messaging-personal-data.js';
import { defineModule } from '../../core/modules/index.js';
import { MessagingSurface1764100000000 } from './migrations/1764100000000-messaging-surface.js';
import { ServersInOrder1764500000000 } from './migrations/1764500000000-servers-in-order.js';
import { MessagesByTrigger1766400000000 } from './migrations/1766400000000-messages-by-trigger.js';
import { MESSAGING_ERRORS } from './messaging.error-codes.js';
import { MESSAGING_EVENTS } from './messaging.events.js';

const EXPORTED = [
  ServersService,
  ChannelsService,
  MessagesService,
  ChannelMessagesService,
  ChannelReadAccess,
  ExternalMessagesService,
  DerivedChannels,
  UserIds,
  MessageHooks,
  MessagePolicies,
  Replies,
  ReplyStreams,
];

@Module({
  imports: [OwnershipModule, VaultModule, AgentsModule],
  controllers: [
    ServersController,
    DirectoryController,
    UserChannelsController,
    ChannelsController,
    ChannelMessagesController,
    MessagesController,
  ],
  providers: [
    ConversationImport,
    ServerChannelList,
    ...EXPORTED,
    MessagingPersonalData,
    MessagingAgentHook,
    ChannelOwnershipResolver,
    GeneralChannel,
    MessageSearchService,
    ServersRepository,
    MessageSearchRepository,
    ChannelsRepository,
    MessagesRepository,
    UserIdsRepository,
  ],
  exports: EXPORTED,
})
export class MessagingModule {}

export const descriptor = defineModule({
  name: 'messaging',
  about: 'Message servers, channels, participants and messages.',
  module: MessagingModule,
  entities: MESSAGING_ENTITIES,
  migrations: [MessagingSurface1764100000000, ServersInOrder1764500000000, MessagesByTrigger1766400000000],
  errors: MESSAGING_ERRORS,
  events: MESSAGING_EVENTS,
  audit: MESSAGING_AUDIT,
  hooks: { agentLifecycle: [MessagingAgentHook], personalData: [MessagingPersonalData] },
  tags: [{ name: 'messaging', about: 'Messages, channels, message servers and one-off questions.', paths: [/^\/api\/messaging\//] }],
});
