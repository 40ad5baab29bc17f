import { Cron } from 'croner';

const WORDS = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@hourly']);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How far to look back, step by step: to the 29th of February before a year without one. */
const WINDOWS_MS = [2 * MINUTE_MS, 120 * MINUTE_MS, 2 * DAY_MS, 32 * DAY_MS, 367 * DAY_MS, 9 * 366 * DAY_MS];

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

  /** The latest instant of the schedule at or before `now`; both epoch ms. 0 when there is none within nine years. */
  latest(now: number): number {
    // The search for earlier instants of croner fails for days that not every month has.
    for (const window of WINDOWS_MS) {
      let latest = 0;
      for (let instant = this.next(now - window); instant <= now; instant = this.next(instant)) latest = instant;
      if (latest > 0) return latest;
    }
    return 0;
  }

  /** The first instant of the schedule after `now`; both epoch ms. */
  next(now: number): number {
    return this.cron.nextRun(new Date(now))?.getTime() ?? Number.POSITIVE_INFINITY;
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
