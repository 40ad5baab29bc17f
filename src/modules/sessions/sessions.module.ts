import { Module } from '@nestjs/common';
import { LeadershipModule } from '../../core/leadership/index.js';
import { OwnershipModule } from '../../core/http/index.js';
import { AccessModule } from '../access/index.js';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { SessionsAgentHook } from './sessions-agent-hook.js';
import { SessionExpiryMonitor } from './session-expiry-monitor.js';
import { SessionChanges } from './session-changes.js';
import { SessionMessagesController } from './session-messages.controller.js';
import { SessionOwnershipResolver } from './session-ownership-resolver.js';
import { SessionMessagePolicy } from './session-message-policy.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { SessionsPersonalData } from './sessions-personal-data.js';
import { defineModule } from '../../core/modules/index.js';
import { SESSION_ENTITIES } from './entities/index.js';
import { Sessions1795824010000 } from './migrations/1795824010000-sessions.js';
import { SESSIONS_SETTINGS } from './sessions.settings.js';
import { SESSIONS_ERRORS } from './sessions.error-codes.js';
import { SESSION_EVENTS } from './sessions.events.js';

@Module({
  imports: [AccessModule, LeadershipModule, OwnershipModule, AgentsModule, MessagingModule],
  controllers: [SessionsController, SessionMessagesController],
  providers: [
    SessionsService,
    SessionsRepository,
    SessionMessagePolicy,
    SessionOwnershipResolver,
    SessionChanges,
    SessionExpiryMonitor,
    SessionsPersonalData,
    SessionsAgentHook,
  ],
  exports: [SessionsService],
})
export class SessionsModule {}

export const descriptor = defineModule({
  name: 'sessions',
  about: 'Sessions over channels: timeout, renewal, warning and expiry.',
  module: SessionsModule,
  entities: SESSION_ENTITIES,
  migrations: [Sessions1795824010000],
  settings: SESSIONS_SETTINGS,
  errors: SESSIONS_ERRORS,
  events: SESSION_EVENTS,
  hooks: { agentLifecycle: [SessionsAgentHook], messagePolicies: [SessionMessagePolicy], personalData: [SessionsPersonalData] },
  tags: [
    {
      name: 'sessions',
      about: 'A conversation of one user with one agent, without servers, channels or participants.',
      paths: [/^\/api\/messaging\/sessions/],
    },
  ],
});
