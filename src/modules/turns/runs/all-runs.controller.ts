import { Controller, Get, Query } from '@nestjs/common';
import { AllowRestricted, ApiErrors, FromCaller, type Caller } from '../../../core/http/index.js';
import { AllRunsView, ListAllRunsQuery, presentAllRuns, toAllRunsQuery } from './all-runs.dto.js';
import { RunsService } from './runs.service.js';

@Controller('api/runs')
export class AllRunsController {
  constructor(private readonly runs: RunsService) {}

  /** Lists the runs of all agents that the caller may see, newest first. */
  @Get()
  @AllowRestricted()
  @ApiErrors('VALIDATION_ERROR')
  async list(@Query() query: ListAllRunsQuery, @FromCaller() caller: Caller): Promise<AllRunsView> {
    return presentAllRuns(await this.runs.listAll(toAllRunsQuery(query, caller)));
  }
}
