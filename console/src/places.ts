// Addresses of things that several pages lead to. Metadata may name other things than ids.

const part = encodeURIComponent;

/** A document of an agent, with one of its pieces opened when `memoryId` says which. */
export function documentPlace(agentId: string, documentId: string, memoryId?: string | null): string {
  return `/agents/${part(agentId)}?tab=knowledge&document=${part(documentId)}${memoryId ? `&piece=${part(memoryId)}` : ''}`;
}

export function memoryPlace(agentId: string, memoryId: string): string {
  return `/memories/${part(agentId)}/${part(memoryId)}`;
}

/** What an agent knows of a user. */
export function userPlace(agentId: string, userId: string): string {
  return `/memories/users/${part(userId)}?agent=${part(agentId)}`;
}

/** A message in its channel. */
export function messagePlace(channelId: string, messageId: string): string {
  return `/channels/${part(channelId)}?message=${part(messageId)}`;
}
