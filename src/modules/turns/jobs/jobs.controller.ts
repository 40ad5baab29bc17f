import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { HybridEnvelope, Public, ApiErrors, UuidPipe, VouchedUsers, type Users } from '../../../core/http/index.js';
import {
  CreateJobBody,
  JobListView,
  JobsHealthView,
  JobView,
  ListJobsQuery,
  NewJobView,
  presentJob,
  presentJobs,
  presentJobsHealth,
  presentNewJob,
  toCreateJob,
  toJobPage,
} from './jobs.dto.js';
import { JobsService } from './jobs.service.js';

@Controller('api/messaging/jobs')
@HybridEnvelope()
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  /** Asks an agent a single question, outside a conversation. */
  @Post()
  @ApiErrors('AGENT_NOT_FOUND')
  async create(@Body() body: CreateJobBody, @VouchedUsers() users: Users): Promise<NewJobView> {
    return presentNewJob(await this.jobs.create({ ...toCreateJob(body), users }));
  }

  /** Lists jobs, newest first. */
  @Get()
  async list(@Query() query: ListJobsQuery): Promise<JobListView> {
    return presentJobs(await this.jobs.list(toJobPage(query)));
  }

  /** Health and statistics of jobs. */
  @Get('health')
  @Public()
  async health(): Promise<JobsHealthView> {
    return presentJobsHealth(await this.jobs.counts(), this.clock.now());
  }

  /** Returns a job, with its result once it has ended. */
  @Get(':jobId')
  @ApiErrors('JOB_NOT_FOUND')
  async read(@Param('jobId', UuidPipe) jobId: string): Promise<JobView> {
    return presentJob(await this.jobs.require(jobId));
  }
}
