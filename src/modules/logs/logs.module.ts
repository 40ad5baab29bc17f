import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/index.js';
import { TurnsModule } from '../turns/index.js';
import { LOGS_AUDIT } from './logs.audit.js';
import { AgentLogRetention } from './agent-log-retention.js';
import { AgentLogWriter } from './agent-log-writer.js';
import { AgentLogsController } from './agent-logs.controller.js';
import { AgentLogsRepository } from './agent-logs.repository.js';
import { AgentLogs } from './agent-logs.service.js';
import { LOG_ENTITIES } from './entities/index.js';
import { ServerLogsController } from './server-logs.controller.js';
import { ServerLogs } from './server-logs.service.js';
import { LogsPersonalData } from './logs-personal-data.js';
import { defineModule } from '../../core/modules/index.js';
import { Logs1795824012000 } from './migrations/1795824012000-logs.js';
import { LOGS_SETTINGS } from './logs.settings.js';
import { LOGS_ERRORS } from './logs.error-codes.js';

@Module({
  imports: [AgentsModule, TurnsModule],
  controllers: [ServerLogsController, AgentLogsController],
  providers: [ServerLogs, LogsPersonalData, AgentLogs, AgentLogsRepository, AgentLogWriter, AgentLogRetention],
  exports: [ServerLogs],
})
export class LogsModule {}

export const descriptor = defineModule({
  name: 'logs',
  about: 'Logs of agents and of the server.',
  module: LogsModule,
  entities: LOG_ENTITIES,
  migrations: [Logs1795824012000],
  settings: LOGS_SETTINGS,
  errors: LOGS_ERRORS,
  audit: LOGS_AUDIT,
  hooks: { retentionSweeps: [AgentLogRetention], personalData: [LogsPersonalData] },
  tags: [{ name: 'logs', about: 'Logs of the server and of agents.', paths: [/^.*\/logs(\/|$)/] }],
});
