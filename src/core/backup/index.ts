export { DATABASE_COPY } from './copy-database.js';
export { backedUpNames, exists, listFiles, sizeOf, sync } from './data-files.js';
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
  sha256Of,
  type Manifest,
} from './manifest.js';
export { DROP_ALL } from './postgres-copy.js';
export { assertNoUnfinishedRestore, hasUnfinishedRestore, restoreBackup, verifyFiles } from './restore.js';
export { verifyBackup, type Verification } from './verify.js';
