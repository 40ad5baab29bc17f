import { describe, expect, it } from '@jest/globals';
import { BackupSchedule } from './backup-schedule.js';

const at = (text: string): number => Date.parse(text);
const texts = (schedule: BackupSchedule, now: string): [string, string] => [
  new Date(schedule.latest(at(now))).toISOString(),
  new Date(schedule.next(at(now))).toISOString(),
];

describe('the schedule of backups', () => {
  it.each([
    ['0 3 * * *', 'UTC', '2026-03-28T03:00:00.000Z', ['2026-03-28T03:00:00.000Z', '2026-03-29T03:00:00.000Z']],
    ['0 3 * * *', 'UTC', '2026-03-28T02:59:59.999Z', ['2026-03-27T03:00:00.000Z', '2026-03-28T03:00:00.000Z']],
    ['@daily', 'UTC', '2026-03-28T12:00:00.000Z', ['2026-03-28T00:00:00.000Z', '2026-03-29T00:00:00.000Z']],
    ['*/15 9-17 * * MON-FRI', 'UTC', '2026-03-28T12:00:00.000Z', ['2026-03-27T17:45:00.000Z', '2026-03-30T09:00:00.000Z']],
    ['0 3 * * *', 'America/New_York', '2026-01-10T12:00:00.000Z', ['2026-01-10T08:00:00.000Z', '2026-01-11T08:00:00.000Z']],
    ['0 0 29 2 *', 'UTC', '2026-03-28T12:00:00.000Z', ['2024-02-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z']],
  ])('%s in %s at %s', (expression, zone, now, expected) => {
    expect(texts(new BackupSchedule(expression, zone), now)).toEqual(expected);
  });

  it('runs once in the night when the clock goes forward, and once when it goes back', () => {
    const schedule = new BackupSchedule('30 2 * * *', 'Europe/Berlin');
    const instants = (from: string, to: string): number[] => {
      const found: number[] = [];
      for (let now = schedule.next(at(from)); now < at(to); now = schedule.next(now)) found.push(now);
      return found;
    };
    expect(instants('2026-03-28T22:00:00Z', '2026-03-29T22:00:00Z')).toHaveLength(1);
    expect(instants('2026-10-24T22:00:00Z', '2026-10-25T22:00:00Z')).toHaveLength(1);
  });

  it.each(['* * * * * *', '0 0 3 * * *', 'daily', '61 3 * * *', '@reboot', ''])('rejects "%s"', (expression) => {
    expect(() => BackupSchedule.check(expression)).toThrow(/must be a cron expression of five fields/);
  });

  it('rejects a schedule that never occurs', () => {
    expect(() => BackupSchedule.check('0 0 30 2 *')).toThrow('must occur at some time');
  });
});
