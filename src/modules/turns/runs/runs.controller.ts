import { Controller, Get, Inject, Param, Query, UseGuards } from '@nestjs/common';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { PathIdsGuard, ApiErrors, UuidPipe } from '../../../core/http/index.js';
import { ListRunsQuery, presentRun, presentRuns, RunRoomQuery, RunsView, RunView, toRunQuery } from './runs.dto.js';
import { RunsService } from './runs.service.js';

@Controller('api/agents/:agentId/runs')
@UseGuards(PathIdsGuard)
@ApiErrors('VALIDATION_ERROR', 'AGENT_NOT_FOUND')
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists an agent's runs, newest first. */
  @Get()
  async list(@Param('agentId', UuidPipe) agentId: string, @Query() query: ListRunsQuery): Promise<RunsView> {
    return presentRuns(await this.runs.list(agentId, toRunQuery(query)));
  }

  /**
   * Returns a run: its stages with their times, what the prompt used and left out, and its events: model calls, actions and evaluators.
   *
   * @remarks
   * A run that the server is making is shown as far as it has come; one of another process as far as its steps are stored.
   */
  @Get(':runId')
  @ApiErrors('VALIDATION_ERROR', 'AGENT_NOT_FOUND', 'RUN_NOT_FOUND')
  async read(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('runId', UuidPipe) runId: string,
    @Query() query: RunRoomQuery,
  ): Promise<RunView> {
    return presentRun(await this.runs.read(agentId, runId, query.roomId?.toLowerCase()), this.config.runPrompts);
  }
}
