export { descriptor } from './backups.module.js';
export { localDestination, openDestination } from './destinations/open-destination.js';
export { findBackup } from './find-backup.js';
export { backupSource, storageOutside, verifyFound } from './verification.js';
