import { describe, expect, it } from '@jest/globals';
import { expiredBackups } from './backup-retention.js';

const NOW = Date.UTC(2026, 2, 31);
const DAY_MS = 86_400_000;
const backup = (daysAgo: number, suffix = '-scheduled'): { name: string; createdAt: number } => ({
  name: `${daysAgo}${suffix}`,
  createdAt: NOW - daysAgo * DAY_MS,
});
const expired = (backups: Parameters<typeof expiredBackups>[0], keep: number, days: number): string[] =>
  expiredBackups(backups, keep, days, NOW).map(({ name }) => name);

describe('the retention of scheduled backups', () => {
  const three = [backup(3), backup(0), backup(1)];

  it('keeps the newest ones, in any input order', () => {
    expect(expired(three, 2, 0)).toEqual(['3-scheduled']);
    expect(expired(three, 3, 0)).toEqual([]);
  });

  it('deletes by age as well, but never the newest', () => {
    expect(expired(three, 10, 2)).toEqual(['3-scheduled']);
    expect(expired([backup(40), backup(50)], 10, 7)).toEqual(['50-scheduled']);
  });

  it('ignores backups of other kinds', () => {
    const others = ['', '-requested', '-before-upgrade'].map((suffix) => backup(90, suffix));
    expect(expired([...others, ...three], 3, 30)).toEqual([]);
  });
});
