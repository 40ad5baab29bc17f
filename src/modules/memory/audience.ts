/** Kinds of memory that are the agent's knowledge and nobody's conversation. */
const OPEN_TYPES: ReadonlySet<string> = new Set(['documents', 'knowledge']);

/** A memory as far as it says who may be told of it. */
export interface Placed {
  readonly room_id: string;
  readonly type: string;
  /** As the engine has it: SQLite has numbers. */
  readonly vouched: boolean | number;
}

/**
 * The audience that may be told what a memory holds; null when everybody may. What is vouched for has the room's
 * name, so that it is also recalled elsewhere; what no credential vouches for stays in its room.
 */
export function audienceOf(agentId: string, { room_id: roomId, type, vouched }: Placed): string | null {
  if (roomId === agentId || OPEN_TYPES.has(type)) return null;
  return vouched ? roomId : withinOnly(roomId);
}

/** Whether a memory may be told to an audience: as it is now, for what was found in a list may have changed since. */
export function isFor({ rooms }: Audience, agentId: string, memory: Placed): boolean {
  const name = audienceOf(agentId, memory);
  return name === null || rooms?.has(name) !== false;
}

/** The audiences whose memories may be told in a room, besides those of other rooms. */
export function audiencesWithin(roomId: string): string[] {
  return [roomId, withinOnly(roomId)];
}

function withinOnly(roomId: string): string {
  return `within ${roomId}`;
}

/** What a search may find: memories that are open or have one of these audiences (any when absent), and none of the excluded. */
export interface Audience {
  readonly rooms?: ReadonlySet<string>;
  readonly exclude?: ReadonlySet<string>;
}
