import type { ErrorDefinitions } from '../../core/errors/index.js';

export const STORAGE_ERRORS = {
  MEDIA_NOT_FOUND: { kind: 'not_found', meaning: 'No file has this address, or it was deleted with its owner.' },
} as const satisfies ErrorDefinitions;

type StorageErrors = typeof STORAGE_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends StorageErrors {}
}
