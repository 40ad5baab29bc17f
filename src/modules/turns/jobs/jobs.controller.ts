import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { Hybrid, Public, Refuses, UuidPipe, VouchedUsers, type Users } from '../../../core/http/index.js';
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
@Hybrid()
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  /** Asks an agent a question, without a conversation around it. */
  @Post()
  @Refuses('AGENT_NOT_FOUND')
  async create(@Body() body: CreateJobBody, @VouchedUsers() users: Users): Promise<NewJobView> {
    return presentNewJob(await this.jobs.create({ ...toCreateJob(body), users }));
  }

  /** Jobs, newest first. */
  @Get()
  async list(@Query() query: ListJobsQuery): Promise<JobListView> {
    return presentJobs(await this.jobs.list(toJobPage(query)));
  }

  /** How jobs are. */
  @Get('health')
  @Public()
  async health(): Promise<JobsHealthView> {
    return presentJobsHealth(await this.jobs.counts(), this.clock.now());
  }

  /** A job and, once it has ended, what came of it. */
  @Get(':jobId')
  @Refuses('JOB_NOT_FOUND')
  async read(@Param('jobId', UuidPipe) jobId: string): Promise<JobView> {
    return presentJob(await this.jobs.require(jobId));
  }
}
