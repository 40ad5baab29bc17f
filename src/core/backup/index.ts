export { sizeOf } from './data-files.js';
export {
  backupBeforeUpgrade,
  backupName,
  deleteUnfinished,
  kindOfBackup,
  makeBackup,
  publishHere,
  sizeOfSource,
  sizeOfUnfinished,
  startOfBackup,
  writeBackup,
  type BackupKind,
  type BackupSource,
} from './make-backup.js';
export {
  backupFolder,
  BACKUPS,
  backupsIn,
  backupsOf,
  MANIFEST,
  parseManifest,
  PARTIAL,
  readManifest,
  removeBackup,
  type Manifest,
} from './manifest.js';
export { assertNoUnfinishedRestore, hasUnfinishedRestore, restoreBackup } from './restore.js';
export { verifyBackup, type Verification } from './verify.js';
