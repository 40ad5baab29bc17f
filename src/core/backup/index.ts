export { DATABASE_COPY, DROP_ALL } from './copy-database.js';
export { backedUpNames, exists, listFiles, sizeOf, sync } from './data-files.js';
export {
  backupBeforeUpgrade,
  backupName,
  deleteUnfinished,
  kindOfBackup,
  makeBackup,
  makeNamedBackup,
  sizeOfSource,
  sizeOfUnfinished,
  startOfBackup,
  type BackupKind,
} from './make-backup.js';
export { backupFolder, backupsOf, readManifest, sha256Of } from './manifest.js';
export { assertNoUnfinishedRestore, restoreBackup, verifyFiles } from './restore.js';
