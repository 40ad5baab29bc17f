import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentsModule } from '../agents/index.js';
import { TurnsModule } from '../turns/index.js';
import { AgentLogWriter } from './agent-log-writer.js';
import { AgentLogsController } from './agent-logs.controller.js';
import { AgentLogsRepository } from './agent-logs.repository.js';
import { AgentLogs } from './agent-logs.service.js';
import { LOG_ENTITIES } from './entities/index.js';
import { ServerLogsController } from './server-logs.controller.js';
import { ServerLogs } from './server-logs.service.js';

@Module({
  imports: [TypeOrmModule.forFeature(LOG_ENTITIES), AgentsModule, TurnsModule],
  controllers: [ServerLogsController, AgentLogsController],
  providers: [ServerLogs, AgentLogs, AgentLogsRepository, AgentLogWriter],
  exports: [ServerLogs],
})
export class LogsModule {}
