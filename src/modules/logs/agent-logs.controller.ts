import { Controller, Delete, Get, HttpCode, Param, Query, UseGuards } from '@nestjs/common';
import { pagedList, PathIdsGuard, ApiErrors, UuidPipe } from '../../core/http/index.js';
import { AgentLogsQuery, AgentLogView, presentAgentLog, toAgentLogQuery } from './agent-logs.dto.js';
import { AgentLogs } from './agent-logs.service.js';

@Controller('api/agents/:agentId/logs')
@UseGuards(PathIdsGuard)
export class AgentLogsController {
  constructor(private readonly logs: AgentLogs) {}

  /** Lists an agent's log entries, newest first. */
  @Get()
  @ApiErrors('VALIDATION_ERROR', 'AGENT_NOT_FOUND')
  async list(@Param('agentId', UuidPipe) agentId: string, @Query() query: AgentLogsQuery): Promise<AgentLogView[]> {
    return pagedList(await this.logs.list(agentId, toAgentLogQuery(query)), presentAgentLog);
  }

  /** Deletes a log entry. */
  @Delete(':logId')
  @HttpCode(204)
  @ApiErrors('AGENT_NOT_FOUND', 'LOG_NOT_FOUND')
  async delete(@Param('agentId', UuidPipe) agentId: string, @Param('logId', UuidPipe) logId: string): Promise<void> {
    await this.logs.delete(agentId, logId);
  }
}
