import type { EventDefinitions } from '../../core/journal/index.js';

interface MemoryEvents {
  /** Has no channel. A null `memoryId` means the `deleted` memories, those of the room `roomId`, or all memories of the agent. */
  'memory.changed': { agentId: string; memoryId: string | null; roomId?: string; deleted?: readonly string[] };
}

export const MEMORY_EVENTS: EventDefinitions<MemoryEvents> = {
  'memory.changed': { about: 'The text or the vector of a memory changed, or the memory was deleted.' },
};

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends MemoryEvents {}
}
