/** Types of memory that are the agent's knowledge rather than a conversation. */
const OPEN_TYPES: ReadonlySet<string> = new Set(['documents', 'knowledge']);

/** The columns of a memory that determine its audience. */
export interface AudienceFields {
  readonly room_id: string;
  readonly type: string;
  /** SQLite returns 0 or 1. */
  readonly vouched: boolean | number;
}

/**
 * The audience of a memory; null when every audience may see it. A vouched memory has its room as audience, so that it can be
 * recalled in other rooms too; any other memory is recalled in its own room only.
 */
export function audienceOf(agentId: string, { room_id: roomId, type, vouched }: AudienceFields): string | null {
  if (roomId === agentId || OPEN_TYPES.has(type)) return null;
  return vouched ? roomId : roomOnly(roomId);
}

/** Whether an audience may see a memory. Checked again on the stored row, which may have changed since it was indexed. */
export function isVisibleTo({ rooms }: Audience, agentId: string, memory: AudienceFields): boolean {
  const name = audienceOf(agentId, memory);
  return name === null || rooms?.has(name) !== false;
}

/** The audiences whose memories may be recalled in a room because they belong to that room. */
export function roomAudiences(roomId: string): string[] {
  return [roomId, roomOnly(roomId)];
}

/** The room when these are the audiences of one room only, which then may see all memories of that room. */
export function onlyRoom(rooms: ReadonlySet<string> | undefined): string | undefined {
  const [room] = rooms?.size === 2 ? rooms : [];
  return room !== undefined && rooms?.has(roomOnly(room)) === true ? room : undefined;
}

function roomOnly(roomId: string): string {
  return `within ${roomId}`;
}

/** Filter of a search: memories for every audience or for one of `rooms` (any when absent), without those in `exclude`. */
export interface Audience {
  readonly rooms?: ReadonlySet<string>;
  readonly exclude?: ReadonlySet<string>;
}
