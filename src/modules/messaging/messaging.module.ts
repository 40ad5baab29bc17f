import { Module } from '@nestjs/common';
import { OwnershipModule } from '../../core/http/index.js';
import { defineModule } from '../../core/modules/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { AgentsModule } from '../agents/index.js';
import { ChannelOwnershipResolver } from './channels/channel-ownership-resolver.js';
import { ChannelReadAccess } from './channels/channel-read-access.js';
import { ChannelsController } from './channels/channels.controller.js';
import { ChannelsRepository } from './channels/channels.repository.js';
import { ChannelsService } from './channels/channels.service.js';
import { DerivedChannels } from './channels/derived-channels.js';
import { GeneralChannel } from './channels/general-channel.js';
import { UserChannelsController } from './channels/user-channels.controller.js';
import { UserIds } from './channels/user-ids.js';
import { MESSAGING_ENTITIES } from './entities/index.js';
import { ChannelMessagesController } from './messages/channel-messages.controller.js';
import { ChannelMessagesService } from './messages/channel-messages.service.js';
import { ConversationImport } from './messages/conversation-import.js';
import { ExternalMessagesService } from './messages/external-messages.service.js';
import { MessageHooks } from './messages/message-hooks.js';
import { MessagePolicies } from './messages/message-policies.js';
import { MessageSearchRepository } from './messages/message-search.repository.js';
import { MessageSearchService } from './messages/message-search.service.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessagesRepository } from './messages/messages.repository.js';
import { MessagesService } from './messages/messages.service.js';
import { MessagingAgentHook } from './messaging-agent-hook.js';
import { MessagingPersonalData } from './messaging-personal-data.js';
import { MESSAGING_AUDIT } from './messaging.audit.js';
import { MESSAGING_ERRORS } from './messaging.error-codes.js';
import { MESSAGING_EVENTS } from './messaging.events.js';
import { MessageTexts } from './messages/message-texts.js';
import { Messaging1795824006000 } from './migrations/1795824006000-messaging.js';
import { MessageWords1796100002000 } from './migrations/1796100002000-message-words.js';
import { RemotePieces } from './replies/remote-pieces.js';
import { Replies } from './replies/replies.js';
import { ReplyStreams } from './replies/reply-streams.js';
import { DirectoryController } from './servers/directory.controller.js';
import { ServerChannelList } from './servers/server-channel-list.js';
import { ServersController } from './servers/servers.controller.js';
import { ServersRepository } from './servers/servers.repository.js';
import { ServersService } from './servers/servers.service.js';

const EXPORTED = [
  ServersService,
  ChannelsService,
  MessagesService,
  ChannelMessagesService,
  ChannelReadAccess,
  ConversationImport,
  ExternalMessagesService,
  DerivedChannels,
  UserIds,
  MessageHooks,
  MessagePolicies,
  RemotePieces,
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
    ServerChannelList,
    ...EXPORTED,
    MessagingPersonalData,
    MessagingAgentHook,
    ChannelOwnershipResolver,
    GeneralChannel,
    MessageSearchService,
    MessageTexts,
    ServersRepository,
    MessageSearchRepository,
    ChannelsRepository,
    MessagesRepository,
  ],
  exports: EXPORTED,
})
export class MessagingModule {}

export const descriptor = defineModule({
  name: 'messaging',
  about: 'Message servers, channels, participants and messages.',
  module: MessagingModule,
  entities: MESSAGING_ENTITIES,
  migrations: [Messaging1795824006000, MessageWords1796100002000],
  errors: MESSAGING_ERRORS,
  events: MESSAGING_EVENTS,
  audit: MESSAGING_AUDIT,
  hooks: { agentLifecycle: [MessagingAgentHook], personalData: [MessagingPersonalData], indexedTexts: [MessageTexts] },
  tags: [{ name: 'messaging', about: 'Messages, channels, message servers and one-off questions.', paths: [/^\/api\/messaging\//] }],
});
