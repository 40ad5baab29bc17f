import { Module } from '@nestjs/common';
import { ModelsModule } from '../../providers/models/index.js';
import { SpeechModule } from '../../providers/speech/index.js';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { EnvFile } from './env-file.js';
import { EnvironmentController } from './environment.controller.js';
import { ApiDocsController } from './api-docs.controller.js';
import { HealthChecks } from './health-checks.js';
import { HomeController } from './home.controller.js';
import { ServerOverview } from './server-overview.js';
import { ServerController } from './server.controller.js';
import { StopRequests } from './stop-requests.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

@Module({
  imports: [AgentsModule, MessagingModule, ModelsModule, SpeechModule],
  controllers: [SystemController, HomeController, ApiDocsController, ServerController, EnvironmentController],
  providers: [SystemService, ServerOverview, EnvFile, StopRequests, HealthChecks],
  exports: [HealthChecks, StopRequests],
})
export class SystemModule {}
