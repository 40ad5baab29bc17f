export { sizeOf } from './data-files.js';
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
export { backupFolder, backupsOf, readManifest } from './manifest.js';
export { assertNoUnfinishedRestore, restoreBackup } from './restore.js';
