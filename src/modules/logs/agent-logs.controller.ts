import { Controller, Delete, Get, HttpCode, Param, Query, UseGuards } from '@nestjs/common';
import { PathIdsGuard, Refuses, UuidPipe } from '../../core/http/index.js';
import { AgentLogsQuery, AgentLogView, presentAgentLog, toAgentLogQuery } from './agent-logs.dto.js';
import { AgentLogs } from './agent-logs.service.js';

@Controller('api/agents/:agentId/logs')
@UseGuards(PathIdsGuard)
export class AgentLogsController {
  constructor(private readonly logs: AgentLogs) {}

  /** What an agent did and what went wrong, the newest first. */
  @Get()
  @Refuses('VALIDATION_ERROR', 'AGENT_NOT_FOUND')
  async list(@Param('agentId', UuidPipe) agentId: string, @Query() query: AgentLogsQuery): Promise<AgentLogView[]> {
    return (await this.logs.list(agentId, toAgentLogQuery(query))).map(presentAgentLog);
  }

  /** Deletes one entry. */
  @Delete(':logId')
  @HttpCode(204)
  @Refuses('AGENT_NOT_FOUND', 'LOG_NOT_FOUND')
  async delete(@Param('agentId', UuidPipe) agentId: string, @Param('logId', UuidPipe) logId: string): Promise<void> {
    await this.logs.delete(agentId, logId);
  }
}
