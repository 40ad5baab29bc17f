export { backupBeforeUpgrade, makeBackup } from './make-backup.js';
export { backupsOf } from './manifest.js';
export { assertNoUnfinishedRestore, restoreBackup } from './restore.js';
