import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { PathIdsGuard, ApiErrors, UuidPipe } from '../../core/http/index.js';
import { ListRunsQuery, presentRun, presentRuns, RunRoomQuery, RunsView, RunView, toRunQuery } from './runs.dto.js';
import { RunsService } from './runs.service.js';

@Controller('api/agents/:agentId/runs')
@UseGuards(PathIdsGuard)
@ApiErrors('VALIDATION_ERROR', 'AGENT_NOT_FOUND')
export class RunsController {
  constructor(private readonly runs: RunsService) {}

  /** Lists an agent's runs, newest first. */
  @Get()
  async list(@Param('agentId', UuidPipe) agentId: string, @Query() query: ListRunsQuery): Promise<RunsView> {
    return presentRuns(await this.runs.list(agentId, toRunQuery(query)));
  }

  /** Returns a run with its events: model calls, actions and evaluators. */
  @Get(':runId')
  @ApiErrors('VALIDATION_ERROR', 'AGENT_NOT_FOUND', 'RUN_NOT_FOUND')
  async read(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('runId', UuidPipe) runId: string,
    @Query() query: RunRoomQuery,
  ): Promise<RunView> {
    const { run, events } = await this.runs.read(agentId, runId, query.roomId?.toLowerCase());
    return presentRun(run, events);
  }
}
