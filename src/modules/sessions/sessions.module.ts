import { Module } from '@nestjs/common';
import { OwnersModule } from '../../core/http/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { AgentSessions } from './agent-sessions.js';
import { SessionAnnouncer } from './session-announcer.js';
import { SessionChanges } from './session-changes.js';
import { SessionEventsController } from './session-events.controller.js';
import { SessionMessagesController } from './session-messages.controller.js';
import { SessionOwners } from './session-owners.js';
import { SessionKeeper } from './session-keeper.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [OwnersModule, VaultModule, AgentsModule, MessagingModule],
  controllers: [SessionsController, SessionMessagesController, SessionEventsController],
  providers: [SessionsService, SessionsRepository, SessionKeeper, SessionOwners, SessionChanges, SessionAnnouncer, AgentSessions],
  exports: [SessionsService],
})
export class SessionsModule {}
