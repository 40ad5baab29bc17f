import type { AuditDefinitions } from '../../core/audit/index.js';

export const MEMORY_AUDIT = {
  'memory.updated': 'A memory was edited.',
  'memory.restored': 'A former version of a memory was restored.',
  'memory.deleted': 'A memory was deleted.',
  'memories.deleted': 'All memories of an agent or of a room were deleted.',
  'room.deleted': 'A room was deleted with its memories.',
} as const satisfies AuditDefinitions;

type MemoryAudit = typeof MEMORY_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends MemoryAudit {}
}
