import { Injectable } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import { Log } from '../../core/logging/index.js';
import { JobEnvironment, JobRunner, LeaseLost, type Lease } from '../../core/queue/index.js';
import { Extraction, nothingSpent } from './extraction.js';
import { keyOf, profileIdOf, ProfileJobsRepository, type DueJob, type ProfileJob } from './profile-jobs.repository.js';

// Replies to users come first.
const CONCURRENCY = 2;
const MAX_LOOKUP = 50;
const RETRY = { attempts: 5, backoffMs: 30_000 };

type Job = ProfileJob & { readonly spent: ReturnType<typeof nothingSpent> };

/** Runs extractions: one at a time for each user of an agent, on any number of processes. */
@Injectable()
export class ExtractionRunner extends JobRunner<DueJob, Job> {
  constructor(
    environment: JobEnvironment,
    private readonly jobs: ProfileJobsRepository,
    private readonly extraction: Extraction,
  ) {
    super(environment, {
      table: jobs.table,
      concurrency: CONCURRENCY,
      retry: RETRY,
      keyOf,
      groupOf: profileIdOf,
      compare: (a, b) => a.notedAt - b.notedAt || (a.channelId < b.channelId ? -1 : 1),
      fieldsOf: ({ agentId, channelId }) => ({ agentId, channelId }),
      log: new Log('profiles'),
      failure: 'facts could not be extracted',
    });
  }

  override async onApplicationBootstrap(): Promise<void> {
    await super.onApplicationBootstrap();
    this.wake();
  }

  protected override find(now: number): ReturnType<ProfileJobsRepository['due']> {
    return this.jobs.due(now, MAX_LOOKUP);
  }

  protected override async claim(due: DueJob, { claim }: Lease): Promise<Job> {
    const job = await this.jobs.claim(due, claim());
    if (!job) throw new LeaseLost();
    return { ...job, spent: nothingSpent() };
  }

  protected override process(job: Job, { owner, signal }: Lease): Promise<() => Promise<void>> {
    // The process ended during each attempt: these messages are not read again.
    const skip = job.attempts > RETRY.attempts;
    return this.extraction.run(job, owner, signal, job.spent, skip);
  }

  protected override crashed(): undefined {
    return undefined;
  }

  protected override async onFailed(job: Job): Promise<readonly Statement[]> {
    return this.extraction.recordUsage(job, job.spent.usage);
  }

  /** The next job of the user may have waited for this one. */
  protected override async run(due: DueJob, lease: Lease): Promise<void> {
    await super.run(due, lease);
    this.wake();
  }
}
