import { Controller, Get, Query } from '@nestjs/common';
import { AllowRestricted, ApiErrors, canAccessAgent, FromCaller, parseTime, type Caller } from '../../core/http/index.js';
import { StatisticsQuery, StatisticsView } from './statistics.dto.js';
import { StatisticsService } from './statistics.service.js';

@Controller('api/server/statistics')
export class StatisticsController {
  constructor(private readonly statistics: StatisticsService) {}

  /** Messages, turns, durations, tokens and cost of the agents that the caller may see, over time; with memory and database size for callers that are not limited to agents. */
  @Get()
  @AllowRestricted()
  @ApiErrors('VALIDATION_ERROR')
  async read(@Query() { from, to, bucket, agentId }: StatisticsQuery, @FromCaller() caller: Caller): Promise<StatisticsView> {
    const allowed = caller.agents && [...caller.agents];
    const agentIds = agentId === undefined ? allowed : [agentId.toLowerCase()].filter((id) => canAccessAgent(caller, id));
    return this.statistics.read({
      from: parseTime('from', from),
      to: parseTime('to', to),
      bucket,
      agentIds,
      ofServer: caller.agents === undefined,
    });
  }
}
