import type { ErrorDefinitions } from '../../core/errors/index.js';

export const BACKUP_ERRORS = {
  BACKUP_NOT_FOUND: { kind: 'not_found', meaning: '`DATA_DIR/backups` has no backup with this name.' },
  BACKUP_NOT_SUPPORTED: { kind: 'not_implemented', meaning: 'Backups over HTTP need SQLite; use `npx parley-server backup` or `pg_dump`.' },
} as const satisfies ErrorDefinitions;

type BackupErrors = typeof BACKUP_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends BackupErrors {}
}
