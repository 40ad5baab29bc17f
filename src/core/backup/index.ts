export { backupBeforeUpgrade, makeBackup } from './make-backup.js';
export { refuseUnfinishedRestore, restoreBackup } from './restore.js';
