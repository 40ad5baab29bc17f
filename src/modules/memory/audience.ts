/** Kinds of memory that are the agent's knowledge and nobody's conversation. */
const OPEN_TYPES: ReadonlySet<string> = new Set(['documents', 'knowledge']);

/** The room whose people may be told what a memory holds; null when anybody may. */
export function audienceOf(agentId: string, { room_id: roomId, type }: { readonly room_id: string; readonly type: string }): string | null {
  return roomId === agentId || OPEN_TYPES.has(type) ? null : roomId;
}

/** What a search may find: memories that are open or of these rooms (any room when absent), and none of the excluded. */
export interface Audience {
  readonly rooms?: ReadonlySet<string>;
  readonly exclude?: ReadonlySet<string>;
}
