import { kindOfBackup } from '../../core/backup/index.js';
import type { StoredBackup } from './destinations/backup-destination.js';

const DAY_MS = 86_400_000;

/**
 * The scheduled backups that have to go. Backups of other kinds are not counted and stay, and so does the newest scheduled one.
 *
 * @param backups the complete ones of a destination
 * @param keep    number to keep
 * @param days    age to keep, days; 0 for any
 * @param now     epoch ms
 */
export function expiredBackups(backups: readonly StoredBackup[], keep: number, days: number, now: number): StoredBackup[] {
  const newestFirst = backups.filter(({ name }) => kindOfBackup(name) === 'schedule').sort((a, b) => b.createdAt - a.createdAt);
  const oldest = days === 0 ? -Infinity : now - days * DAY_MS;
  return newestFirst.filter(({ createdAt }, index) => index > 0 && (index >= keep || createdAt < oldest));
}
