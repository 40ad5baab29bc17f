import type { ErrorDefinitions } from '../errors/index.js';

export const VAULT_ERRORS = {
  SECRET_UNREADABLE: { kind: 'internal', meaning: 'A stored secret was encrypted with a different SECRET_KEY.' },
} as const satisfies ErrorDefinitions;

type VaultErrors = typeof VAULT_ERRORS;

declare module '../errors/error-codes.js' {
  interface ErrorCodes extends VaultErrors {}
}
