import { Module } from '@nestjs/common';
import { ModelsModule } from '../../providers/models/index.js';
import { SpeechModule } from '../../providers/speech/index.js';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { SYSTEM_AUDIT } from './system.audit.js';
import { EnvFile } from './env-file.js';
import { EnvironmentController } from './environment.controller.js';
import { ApiDocsController } from './api-docs.controller.js';
import { ProbesController } from './probes.controller.js';
import { Readiness } from './readiness.js';
import { ServerOverview } from './server-overview.js';
import { ServerController } from './server.controller.js';
import { StopRequests } from './stop-requests.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';
import { defineModule } from '../../core/modules/index.js';
import { SYSTEM_SETTINGS } from './system.settings.js';

@Module({
  imports: [AgentsModule, MessagingModule, ModelsModule, SpeechModule],
  controllers: [SystemController, ProbesController, ApiDocsController, ServerController, EnvironmentController],
  providers: [SystemService, ServerOverview, EnvFile, Readiness, StopRequests],
  exports: [Readiness, StopRequests],
})
export class SystemModule {}

export const descriptor = defineModule({
  name: 'system',
  about: 'Health, version and environment.',
  module: SystemModule,
  settings: SYSTEM_SETTINGS,
  audit: SYSTEM_AUDIT,
  tags: [{ name: 'system', about: 'System-wide operations and environment management.', paths: [/^\//] }],
});
