import { Cron } from 'croner';

const WORDS = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@hourly']);
// croner finds instants before one in whole seconds.
const SECOND_MS = 1000;

/** The instants of a cron expression in a time zone. */
export class BackupSchedule {
  private readonly cron: Cron;

  /** @throws Error that completes the sentence "BACKUP_SCHEDULE ..." */
  constructor(expression: string, timeZone: string) {
    this.cron = new Cron(expression, { paused: true, mode: WORDS.has(expression) ? 'auto' : '5-part', timezone: timeZone });
  }

  /** @throws Error that completes the sentence "BACKUP_SCHEDULE ..." when the expression is not one, or never occurs */
  static check(expression: string): void {
    let cron: Cron;
    try {
      ({ cron } = new BackupSchedule(expression, 'UTC'));
    } catch (error) {
      const example = 'must be a cron expression of five fields such as "0 3 * * *", or a word such as @daily';
      throw new Error(`${example}, not "${expression}"`, { cause: error });
    }
    if (cron.nextRun() === null) throw new Error(`must occur at some time, which "${expression}" never does`);
  }

  /** The latest instant of the schedule at or before `now`; both epoch ms. */
  latest(now: number): number {
    const [instant] = this.cron.previousRuns(1, new Date(now + SECOND_MS));
    return instant?.getTime() ?? 0;
  }

  /** The first instant of the schedule after `now`; both epoch ms. */
  next(now: number): number {
    return this.cron.nextRun(new Date(now))?.getTime() ?? 0;
  }
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
