import { isUuid } from '../../core/ids/index.js';

// Who speaks, in the words of all doors.
const IDENTITIES = new Set(['author_id', 'authorId', 'senderId', 'sender_id', 'userId', 'user_id', 'entityId', 'x-entity-id']);
const RESOURCES: Readonly<Record<string, string>> = {
  agentId: 'agentId',
  agent_id: 'agentId',
  channelId: 'channelId',
  channel_id: 'channelId',
  sessionId: 'sessionId',
  session_id: 'sessionId',
  worldId: 'worldId',
  world_id: 'worldId',
};

/** The things that a query or a body names at its top, by the name of the path parameter that they would be. */
export function namedResources(named: readonly unknown[]): (readonly [parameter: string, id: unknown])[] {
  return named.flatMap((part) =>
    Object.entries(Object(part) as Record<string, unknown>).flatMap(([key, id]) => {
      const parameter = Object.hasOwn(RESOURCES, key) ? RESOURCES[key] : undefined;
      return parameter === undefined || id === undefined || id === null ? [] : [[parameter, id] as const];
    }),
  );
}

/** Who a query, a body or headers say that is speaking. */
export function identitiesIn(named: readonly unknown[]): unknown[] {
  return named.flatMap((part) =>
    Object.entries(Object(part) as Record<string, unknown>).flatMap(([key, id]) =>
      IDENTITIES.has(key) && id !== undefined && id !== null ? [id] : [],
    ),
  );
}

/** Every UUID that stands anywhere in these values, as a value or as a key, in lower case. */
export function allNamedIn(values: readonly unknown[]): Set<string> {
  const found = new Set<string>();
  const rest: unknown[] = [...values];
  for (let value = rest.pop(); value !== undefined || rest.length > 0; value = rest.pop()) {
    if (isUuid(value)) found.add(value.toLowerCase());
    else if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value)) rest.push(key, part);
    }
  }
  return found;
}
