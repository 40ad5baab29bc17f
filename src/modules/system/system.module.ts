import { Module } from '@nestjs/common';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { HealthChecks } from './health-checks.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

@Module({
  imports: [AgentsModule, ModelsModule],
  controllers: [SystemController],
  providers: [SystemService, HealthChecks],
  exports: [HealthChecks],
})
export class SystemModule {}
