/** Types of memory that are the agent's knowledge rather than a conversation. */
const DOCUMENT_TYPES: ReadonlySet<string> = new Set(['documents', 'knowledge']);

/** Audience of documents: everybody may see them. */
export const DOCUMENTS = 'documents';
/** Audience of the agent's own facts: everybody may see them. */
export const OPEN = 'open';

/** The columns of a memory that determine its audience. */
export interface AudienceFields {
  readonly room_id: string;
  readonly type: string;
  /** SQLite returns 0 or 1. */
  readonly vouched: boolean | number;
}

/**
 * The audience of a memory. A vouched memory has its room as audience, so that it can be recalled in other rooms too; any other memory is
 * recalled in its own room only.
 */
export function audienceOf(agentId: string, { room_id: roomId, type, vouched }: AudienceFields): string {
  if (DOCUMENT_TYPES.has(type)) return DOCUMENTS;
  if (roomId === agentId) return OPEN;
  return vouched ? roomId : roomOnly(roomId);
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

/** The room of an audience whose memories other rooms do not see; undefined for other audiences. */
export function roomOfOwn(audience: string): string | undefined {
  return audience.startsWith(WITHIN) ? audience.slice(WITHIN.length) : undefined;
}

const WITHIN = 'within ';

function roomOnly(roomId: string): string {
  return `${WITHIN}${roomId}`;
}
