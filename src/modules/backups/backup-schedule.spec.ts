import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
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

  it.each(['* * * * * *', '0 0 3 * * *', 'daily', '61 3 * * *', '@reboot', ''])('rejects "%s"', (expression) => {
    expect(() => BackupSchedule.check(expression)).toThrow(/must be a cron expression of five fields/);
  });

  it('rejects a schedule that never occurs', () => {
    expect(() => BackupSchedule.check('0 0 30 2 *')).toThrow('must occur at some time');
  });
});

/** Hours and minutes of a clock, as in a table of a railway. */
const clockIn = (zone: string, instant: number): string =>
  new Date(instant).toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
const instantsOf = (expression: string, zone: string, from: string, to: string): number[] => {
  const schedule = new BackupSchedule(expression, zone);
  const found: number[] = [];
  for (let now = schedule.next(at(from) - 1); now < at(to); now = schedule.next(now)) found.push(now);
  return found;
};
const BERLIN = 'Europe/Berlin';
const HOWE = 'Australia/Lord_Howe';
const BACK = ['2026-10-24T23:30Z', '2026-10-25T02:30Z'] as const;
const FORWARD = ['2026-03-28T23:30Z', '2026-03-29T02:30Z'] as const;

describe('the clock goes back', () => {
  it.each<[expression: string, zone: string, from: string, to: string, times: string]>([
    ['0 * * * *', BERLIN, ...BACK, '02:00 02:00 03:00'],
    ['@hourly', BERLIN, ...BACK, '02:00 02:00 03:00'],
    ['30 * * * *', BERLIN, ...BACK, '01:30 02:30 02:30'],
    ['*/30 * * * *', BERLIN, ...BACK, '01:30 02:00 02:30 02:00 02:30 03:00'],
    ['*/15 2 * * *', BERLIN, ...BACK, '02:00 02:15 02:30 02:45 02:00 02:15 02:30 02:45'],
    ['0 1-3 * * *', BERLIN, ...BACK, '02:00 02:00 03:00'],
    ['0 */2 * * *', BERLIN, ...BACK, '02:00 02:00'],
    ['30 2 * * *', BERLIN, ...BACK, '02:30'],
    ['15,45 2 * * *', BERLIN, ...BACK, '02:15 02:45'],
    ['30 2 * * SUN', BERLIN, ...BACK, '02:30'],
    ['30 2 25 10 *', BERLIN, ...BACK, '02:30'],
    ['0 3 * * *', BERLIN, ...BACK, '03:00'],
    ['0 * * * *', HOWE, '2026-04-04T14:00Z', '2026-04-04T16:00Z', '01:00 02:00'],
    ['*/15 * * * *', HOWE, '2026-04-04T14:30Z', '2026-04-04T15:45Z', '01:30 01:45 01:30 01:45 02:00'],
    ['45 1 * * *', HOWE, '2026-04-04T13:00Z', '2026-04-05T13:00Z', '01:45'],
    ['0 0 * * *', 'America/Havana', '2026-11-01T03:00Z', '2026-11-02T03:00Z', '00:00'],
    ['30 * * * *', 'America/Havana', '2026-11-01T04:00Z', '2026-11-01T07:00Z', '00:30 00:30 01:30'],
    ['0 * * * *', 'America/Santiago', '2026-04-05T02:00Z', '2026-04-05T05:00Z', '23:00 23:00 00:00'],
    ['30 23 * * *', 'America/Santiago', '2026-04-04T12:00Z', '2026-04-05T12:00Z', '23:30'],
  ])('"%s" in %s', (expression, zone, from, to, times) => {
    const found = instantsOf(expression, zone, from, to);
    expect(found.map((instant) => clockIn(zone, instant)).join(' ')).toBe(times);
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
  });
});

describe('the clock goes forward', () => {
  it.each<[expression: string, zone: string, from: string, to: string, times: string]>([
    ['0 * * * *', BERLIN, ...FORWARD, '01:00 03:00 04:00'],
    ['*/30 * * * *', BERLIN, ...FORWARD, '00:30 01:00 01:30 03:00 03:30 04:00'],
    ['*/15 2 * * *', BERLIN, ...FORWARD, '03:00 03:15 03:30 03:45'],
    ['30 2 * * *', BERLIN, ...FORWARD, '03:30'],
    ['30 2,3 * * *', BERLIN, ...FORWARD, '03:30'],
    ['30 2 * * SUN', BERLIN, ...FORWARD, '03:30'],
    ['0 */2 * * *', BERLIN, ...FORWARD, '03:00 04:00'],
    ['15 2 * * *', HOWE, '2026-10-03T12:00Z', '2026-10-04T12:00Z', '02:45'],
    ['*/15 * * * *', HOWE, '2026-10-03T15:00Z', '2026-10-03T16:00Z', '01:30 01:45 02:30 02:45'],
    ['@daily', 'America/Havana', '2026-03-08T03:00Z', '2026-03-09T03:00Z', '01:00'],
  ])('"%s" in %s', (expression, zone, from, to, times) => {
    expect(
      instantsOf(expression, zone, from, to)
        .map((instant) => clockIn(zone, instant))
        .join(' '),
    ).toBe(times);
  });
});

describe('around each clock change', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'America/Havana',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'UTC',
  ];

  it('an hourly schedule leaves out no hour', () => {
    for (const zone of zones) {
      for (const [from, to] of [
        ['2026-03-06', '2026-04-06'],
        ['2026-10-01', '2026-11-03'],
      ] as const) {
        const found = instantsOf('@hourly', zone, from, to);
        const gaps = found.slice(1).map((instant, index) => (instant - found[index]!) / 60_000);
        expect([zone, Math.max(...gaps) <= 90, Math.min(...gaps) >= 30]).toEqual([zone, true, true]);
      }
    }
  });

  it('a daily schedule runs once on each day', () => {
    for (const zone of zones) {
      for (const time of ['0 0', '45 1', '30 2']) {
        expect([zone, time, instantsOf(`${time} * * *`, zone, '2026-01-01T12:00Z', '2026-12-31T12:00Z').length]).toEqual([zone, time, 364]);
      }
    }
  });

  it('the next and the latest instant are the same, whenever a server asks', () => {
    const change = fc.constantFrom(at('2026-10-25T01:00Z'), at('2026-03-29T01:00Z'));
    for (const expression of ['0 * * * *', '30 2 * * *', '*/30 * * * *']) {
      const days = [
        ['2026-03-27', '2026-03-31'],
        ['2026-10-23', '2026-10-27'],
      ] as const;
      const all = days.flatMap(([from, to]) => instantsOf(expression, BERLIN, from, to));
      const schedule = new BackupSchedule(expression, BERLIN);
      const asks = fc.property(change, fc.integer({ min: -240, max: 240 }), (around, minutes) => {
        const now = around + minutes * 60_000;
        expect(schedule.next(now)).toBe(all.find((instant) => instant > now));
        expect(schedule.latest(now)).toBe(all.findLast((instant) => instant <= now));
      });
      fc.assert(asks);
    }
  });
});
