import type { ErrorDefinitions } from '../../core/errors/index.js';

export const TEE_HARDWARE_ERRORS = {
  TEE_NOT_AVAILABLE: { kind: 'not_implemented', meaning: 'The machine has no trusted hardware that issues quotes.' },
} as const satisfies ErrorDefinitions;

type TeeHardwareErrors = typeof TEE_HARDWARE_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends TeeHardwareErrors {}
}
