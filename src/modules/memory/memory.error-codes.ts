import type { ErrorDefinitions } from '../../core/errors/index.js';

export const MEMORY_ERRORS = {
  MEMORY_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no memory with this id.' },
  MEMORY_VERSION_NOT_FOUND: { kind: 'not_found', meaning: 'The memory has no former version with this number, or none at all.' },
  SUMMARY_NOT_FOUND: { kind: 'not_found', meaning: 'The conversation has no summary.' },
  WORLD_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no world with this id.' },
  ROOM_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no room with this id.' },
  ROOM_EXISTS: { kind: 'conflict', meaning: 'A room with this id exists and belongs to another agent.' },
} as const satisfies ErrorDefinitions;

type MemoryErrors = typeof MEMORY_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends MemoryErrors {}
}
