import { Cron } from 'croner';
import { ZonedTime } from './zoned-time.js';

const WORDS = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@hourly']);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How far to look back, step by step: to the 29th of February before a year without one. */
const WINDOWS_MS = [2 * MINUTE_MS, 120 * MINUTE_MS, 2 * DAY_MS, 32 * DAY_MS, 367 * DAY_MS, 9 * 366 * DAY_MS];
/** No clock change is larger. */
const LARGEST_CHANGE_MS = 3 * HOUR_MS;
/** Intervals in the fields of minutes and hours: all, a range or a step. */
const INTERVAL = /[*?/-]/;

/**
 * The instants of a cron expression in a time zone. Where the clock goes back, intervals such as "every hour" go on through the time that comes
 * twice, and a fixed time of day occurs once, at the first. A time that is left out where the clock goes forward occurs as much later as the
 * clock jumps.
 */
export class BackupSchedule {
  /** Knows no zones: it is asked about times of the clock on the wall, as if they were UTC. */
  private readonly cron: Cron;
  private readonly zone: ZonedTime;
  private readonly isInterval: boolean;

  /** @throws Error that completes the sentence "BACKUP_SCHEDULE ..." */
  constructor(expression: string, timeZone: string) {
    this.cron = new Cron(expression, { paused: true, mode: WORDS.has(expression) ? 'auto' : '5-part', utcOffset: 0 });
    this.zone = new ZonedTime(timeZone);
    this.isInterval = isInterval(expression);
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
    let first = Number.POSITIVE_INFINITY;
    let margin = this.marginAt(now);
    const from = this.zone.wallTime(now) - margin;
    // The clock shows later times earlier where it goes back, so all that may lie before the first one found are looked at.
    for (let wall = this.following(from); wall - margin < this.zone.wallTime(first); wall = this.following(wall)) {
      const instants = this.zone.instantsOf(wall);
      for (const instant of this.isInterval ? instants : instants.slice(0, 1)) {
        if (instant <= now || instant >= first) continue;
        first = instant;
        margin = this.marginAt(first);
      }
    }
    return first;
  }

  private marginAt(instant: number): number {
    return this.zone.changesNear(instant) ? LARGEST_CHANGE_MS : 0;
  }

  /** The next time that the expression names, behind one; infinite when there is none. */
  private following(wall: number): number {
    return this.cron.nextRun(new Date(wall))?.getTime() ?? Number.POSITIVE_INFINITY;
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

function isInterval(expression: string): boolean {
  const [minutes = '', hours = ''] = expression.trim().split(/\s+/);
  return expression === '@hourly' || INTERVAL.test(minutes) || INTERVAL.test(hours) || new Set(hours.split(',')).size === 24;
}
