/**
 * Categories of errors. The kind alone determines the HTTP status (`statusOfCode`); a kind without a status does not compile.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'unprocessable'
  | 'too_large'
  | 'unsupported'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'timeout'
  | 'not_received'
  | 'not_implemented'
  | 'storage_full';

export interface ErrorDefinition {
  readonly kind: ErrorKind;
  /** One sentence for `docs/reference/errors.md`. */
  readonly meaning: string;
}

/** Error codes and their definitions. A published code keeps its meaning. */
export type ErrorDefinitions = Readonly<Record<string, ErrorDefinition>>;

/** The codes of core. A module declares its own and names them in its descriptor. */
const CORE_ERRORS = {
  VALIDATION_ERROR: { kind: 'invalid', meaning: 'A body field, query parameter or header has the wrong shape or value.' },
  INVALID_ID: { kind: 'invalid', meaning: 'An id in the path is not a UUID (8-4-4-4-12 hexadecimal digits of any version).' },
  INVALID_JSON: { kind: 'invalid', meaning: 'The request body is not valid JSON.' },
  BAD_REQUEST: { kind: 'invalid', meaning: 'The request is invalid; the message gives the reason.' },
  UNAUTHORIZED: {
    kind: 'unauthenticated',
    meaning: 'The operation requires a credential; it is missing, wrong, expired or revoked.',
  },
  FORBIDDEN: { kind: 'forbidden', meaning: 'The credential does not allow this.' },
  NOT_FOUND: { kind: 'not_found', meaning: 'No operation has this path and method.' },
  CONFLICT: { kind: 'conflict', meaning: 'The request conflicts with the current state.' },
  PAYLOAD_TOO_LARGE: { kind: 'too_large', meaning: 'The request body is larger than the limit.' },
  FILE_TOO_LARGE: { kind: 'too_large', meaning: 'The uploaded file is larger than the limit.' },
  REQUEST_TIMEOUT: { kind: 'not_received', meaning: 'The request did not arrive in time; the connection is closed.' },
  UNSUPPORTED_MEDIA_TYPE: { kind: 'unsupported', meaning: 'The request body has a media type this operation does not read.' },
  RATE_LIMIT_EXCEEDED: { kind: 'rate_limited', meaning: 'Too many requests; retry after the time in Retry-After.' },
  SERVER_BUSY: { kind: 'unavailable', meaning: 'The server has too much under way; retry after the time in Retry-After.' },
  SERVER_STOPPING: { kind: 'unavailable', meaning: 'The server is shutting down; retry shortly.' },
  STORAGE_FULL: { kind: 'storage_full', meaning: 'The disk is full; nothing was written.' },
  STORAGE_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The database or the store of files is temporarily not usable; nothing was written.',
  },
  MODEL_UNAVAILABLE: {
    kind: 'unavailable',
    meaning:
      'The language model was unreachable, failed repeatedly or has no quota left; the message is stored and the turn is recorded as failed.',
  },
  MODEL_REJECTED: {
    kind: 'unavailable',
    meaning:
      'The language model rejected the request, for example because of a wrong key or an unknown model name; the details name the setting.',
  },
  DATABASE_CORRUPT: { kind: 'unavailable', meaning: 'The database file is damaged; restore a backup.' },
  BACKUP_INVALID: { kind: 'invalid', meaning: 'The folder contains no backup that this installation can restore (command line only).' },
  INTERNAL_ERROR: { kind: 'internal', meaning: 'An unexpected error; the log contains the cause under the request id.' },
  CONFIG_INVALID: { kind: 'internal', meaning: 'The server cannot start with this configuration (start-up only).' },
  DATA_DIR_IN_USE: { kind: 'conflict', meaning: 'Another process uses this data directory (start-up only).' },
} as const satisfies ErrorDefinitions;

type CoreErrors = typeof CORE_ERRORS;

/** All error codes that clients can receive. A module adds its own by declaration merging. */
export interface ErrorCodes extends CoreErrors {}

export type ErrorCode = keyof ErrorCodes;

const definitions = new Map<string, ErrorDefinition>(Object.entries(CORE_ERRORS));

/** Adds the codes of a module. @throws Error when another module already defines one of them */
export function registerErrors(codes: ErrorDefinitions): void {
  for (const [code, definition] of Object.entries(codes)) {
    if ((definitions.get(code) ?? definition) !== definition) throw new Error(`error code ${code} is defined twice`);
    definitions.set(code, definition);
  }
}

/** The codes of core, for the reference. */
export function coreErrors(): ErrorDefinitions {
  return CORE_ERRORS;
}

/** Every registered code in alphabetical order, with its definition. */
export function errorDefinitions(): [ErrorCode, ErrorDefinition][] {
  return ([...definitions] as [ErrorCode, ErrorDefinition][]).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The definition of a code. @throws Error when no loaded module defines it, which the compiler cannot see */
export function errorDefinition(code: ErrorCode): ErrorDefinition {
  const definition = definitions.get(code);
  if (definition === undefined) throw new Error(`error code ${code} is not registered: import the module that defines it`);
  return definition;
}
