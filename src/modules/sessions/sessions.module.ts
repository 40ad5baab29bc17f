import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { SessionAnnouncer } from './session-announcer.js';
import { SessionChanges } from './session-changes.js';
import { SessionEventsController } from './session-events.controller.js';
import { SessionMessagesController } from './session-messages.controller.js';
import { SessionKeeper } from './session-keeper.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [AgentsModule, MessagingModule],
  controllers: [SessionsController, SessionMessagesController, SessionEventsController],
  providers: [SessionsService, SessionsRepository, SessionKeeper, SessionChanges, SessionAnnouncer],
  exports: [SessionsService],
})
export class SessionsModule {}
