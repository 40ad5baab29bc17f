import { expect, it } from '@jest/globals';
import { localTime } from './local-time.js';

const AT = Date.UTC(2026, 10, 27, 23, 15);

it.each<[string, object[], string]>([
  ['no zone', [{}], 'Friday, 2026-11-27 23:15 UTC'],
  ['a zone ahead of UTC', [{ timezone: 'Europe/Berlin' }], 'Saturday, 2026-11-28 00:15 in Europe/Berlin (23:15 UTC)'],
  ['a zone behind UTC', [{ timezone: 'America/Los_Angeles' }], 'Friday, 2026-11-27 15:15 in America/Los_Angeles (23:15 UTC)'],
  [
    'the first of several',
    [{ timezone: 'Asia/Tokyo' }, { timezone: 'Europe/Berlin' }],
    'Saturday, 2026-11-28 08:15 in Asia/Tokyo (23:15 UTC)',
  ],
  [
    'an unknown zone before a known one',
    [{ timezone: 'Mars/Olympus' }, { timezone: 'Asia/Tokyo' }],
    'Saturday, 2026-11-28 08:15 in Asia/Tokyo (23:15 UTC)',
  ],
  ['another spelling', [{ timeZone: 'asia/tokyo' }], 'Saturday, 2026-11-28 08:15 in Asia/Tokyo (23:15 UTC)'],
  ['an offset', [{ timezone: '+05:30' }], 'Saturday, 2026-11-28 04:45 in UTC+05:30 (23:15 UTC)'],
  ['an offset that no place has', [{ timezone: '+25:00' }], 'Friday, 2026-11-27 23:15 UTC'],
  ['UTC by name', [{ timezone: 'UTC' }], 'Friday, 2026-11-27 23:15 UTC'],
  ['something that is no text', [{ timezone: 7 }, { timezone: null }], 'Friday, 2026-11-27 23:15 UTC'],
  ['a text that is longer than a zone', [{ timezone: `Europe/${'x'.repeat(1000)}` }], 'Friday, 2026-11-27 23:15 UTC'],
])('the time with %s', (_name, sources, expected) => {
  expect(localTime(AT, sources as Record<string, unknown>[])).toBe(expected);
});
