import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { Problem, ProblemSource } from '../../core/health/index.js';
import { BackupRunsRepository, type BackupRun } from './backup-runs.repository.js';
import { ScheduledBackups } from './scheduled-backups.js';

/** A backup that has not ended this long after it was due is overdue. */
const OVERDUE_MS = 3_600_000;
const MAX_RUNS = 100;

/** A scheduled backup that failed or is overdue, until one succeeds. */
@Injectable()
export class BackupProblems implements ProblemSource {
  constructor(
    private readonly scheduled: ScheduledBackups,
    private readonly runs: BackupRunsRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async problems(): Promise<Problem[]> {
    const { schedule } = this.scheduled;
    if (!schedule) return [];
    const [runs, last] = await Promise.all([this.runs.newest(MAX_RUNS), this.runs.newestComplete()]);
    const since = runs.filter(({ tick }) => last === undefined || tick > last.tick);
    const known = last ? `The newest complete one is ${last.address} of ${last.tick}.` : 'There is no complete one yet.';
    const shared = { kind: 'backup', subject: this.config.backupDestination } as const;
    const failed = since.find(({ error }) => error !== null);
    if (failed?.error) {
      const { message, details } = failed.error;
      const again = nextAttempt(since[0]);
      return [
        {
          ...{ ...shared, count: since.reduce((sum, { attempts }) => sum + attempts, 0), at: failed.endedAt },
          message: 'The scheduled backup failed.',
          details: [message, details, again, known].filter((part, index, all) => part !== '' && all.indexOf(part) === index).join(' '),
        },
      ];
    }
    // The first that is missing; nothing is known before the first check of the first start.
    const first = last ? schedule.next(Date.parse(last.tick)) : Date.parse(since.at(-1)?.tick ?? '');
    if (!(this.clock.now() >= first + OVERDUE_MS)) return [];
    const running = since[0]?.status === 'running';
    const remedy = running ? 'It is still being made.' : 'No server has started it; the log of the servers has the reason.';
    const message = `The backup that was due at ${new Date(first).toISOString()} is overdue.`;
    return [{ ...shared, count: 1, at: first, message, details: `${remedy} ${known}` }];
  }
}

function nextAttempt(run: BackupRun | undefined): string {
  if (run?.status === 'running') return 'It is being tried again.';
  return run?.status === 'queued' && run.dueAt !== null ? `It is tried again at ${new Date(run.dueAt).toISOString()}.` : '';
}
