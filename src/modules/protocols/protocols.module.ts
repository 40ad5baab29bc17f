import { Module } from '@nestjs/common';
import { OwnershipModule } from '../../core/http/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { defineModule } from '../../core/modules/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { MediaModule } from '../media/index.js';
import { MessagingModule } from '../messaging/index.js';
import { TurnsModule } from '../turns/index.js';
import { AgentModels } from './agent-models.js';
import { ProtocolConversations } from './conversations.js';
import { EmbeddingsService } from './embeddings.service.js';
import { ProtocolRequestRow } from './entities/protocol-request.entity.js';
import { Protocols1796200002000 } from './migrations/1796200002000-protocols.js';
import { ProtocolRequestsRepository } from './protocol-requests.repository.js';
import { ProtocolResponses } from './protocol-responses.js';
import { ProtocolTurns } from './protocol-turns.js';
import { PROTOCOLS_ERRORS } from './protocols.error-codes.js';
import { PROTOCOL_METRICS } from './protocols.metrics.js';
import { PROTOCOLS_SETTINGS } from './protocols.settings.js';
import { CallerChannels } from './caller-channels.js';
import { StoredExchanges } from './stored-exchanges.js';
import { UnstoredConversations } from './unstored-conversations.js';

@Module({
  imports: [AgentsModule, MediaModule, MessagingModule, ModelsModule, OwnershipModule, TurnsModule, VaultModule],
  providers: [
    AgentModels,
    CallerChannels,
    EmbeddingsService,
    ProtocolConversations,
    ProtocolRequestsRepository,
    ProtocolResponses,
    ProtocolTurns,
    StoredExchanges,
    UnstoredConversations,
  ],
  exports: [AgentModels, CallerChannels, EmbeddingsService, ProtocolConversations, ProtocolResponses, ProtocolTurns, StoredExchanges],
})
export class ProtocolsModule {}

export const descriptor = defineModule({
  name: 'protocols',
  about: 'What interfaces for protocols of others share: agents as models, conversations that callers send again, and responses.',
  module: ProtocolsModule,
  entities: [ProtocolRequestRow],
  migrations: [Protocols1796200002000],
  settings: PROTOCOLS_SETTINGS,
  errors: PROTOCOLS_ERRORS,
  metrics: PROTOCOL_METRICS,
  hooks: { retentionSweeps: [UnstoredConversations] },
});
