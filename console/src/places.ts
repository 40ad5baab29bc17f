// Addresses of things that several pages lead to.

/** A document of an agent, with one of its pieces opened when `memoryId` says which. */
export function documentPlace(agentId: string, documentId: string, memoryId?: string | null): string {
  return `/agents/${agentId}?tab=knowledge&document=${documentId}${memoryId ? `&piece=${memoryId}` : ''}`;
}

export function memoryPlace(agentId: string, memoryId: string): string {
  return `/memories/${agentId}/${memoryId}`;
}

/** What an agent knows of a user. */
export function userPlace(agentId: string, userId: string): string {
  return `/memories/users/${userId}?agent=${agentId}`;
}

/** A message in its channel. */
export function messagePlace(channelId: string, messageId: string): string {
  return `/channels/${channelId}?message=${messageId}`;
}
