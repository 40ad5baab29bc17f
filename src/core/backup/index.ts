export { backupBeforeUpgrade, makeBackup } from './make-backup.js';
export { assertNoUnfinishedRestore, restoreBackup } from './restore.js';
