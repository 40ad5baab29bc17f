import { AppError } from '../../core/errors/index.js';
import { isBinary } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';

// Fields that name the acting user, of all interfaces.
const IDENTITIES = [
  'author_id',
  'authorId',
  'senderId',
  'sender_id',
  'userId',
  'user_id',
  'entityId',
  'x-entity-id',
  'currentUserId',
  'userId1',
];
const RESOURCES = [
  ['agentId', 'agentId'],
  ['agent_id', 'agentId'],
  ['channelId', 'channelId'],
  ['channel_id', 'channelId'],
  ['sessionId', 'sessionId'],
  ['session_id', 'sessionId'],
  ['worldId', 'worldId'],
  ['world_id', 'worldId'],
] as const;

/** Maximum number of values and keys in a request of a limited caller. */
const MAX_VALUES = 100_000;
const UUID_LENGTH = 36;

/** The resources named by top-level fields of a query or body, with the corresponding path parameter. */
export function referencedResources(inputs: readonly unknown[]): (readonly [parameter: string, id: unknown])[] {
  return inputs.flatMap((part) => RESOURCES.flatMap(([key, parameter]) => fieldValue(part, key).map((id) => [parameter, id] as const)));
}

/** The acting users that a query, a body or headers name, with the names of the fields. */
export function claimedIdentities(inputs: readonly unknown[]): (readonly [field: string, id: unknown])[] {
  return inputs.flatMap((part) => IDENTITIES.flatMap((key) => fieldValue(part, key).map((id) => [key, id] as const)));
}

/**
 * All UUIDs in these values at any depth, as values or keys, in lower case. Skips binary data.
 *
 * @throws AppError VALIDATION_ERROR for more than MAX_VALUES values
 */
export function uuidsIn(values: readonly unknown[]): Set<string> {
  const found = new Set<string>();
  const rest: object[] = [];
  let visited = 0;
  const visit = (parts: readonly unknown[]): void => {
    visited += parts.length;
    if (visited > MAX_VALUES) throw tooMany();
    for (const part of parts) {
      if (typeof part === 'string') {
        if (part.length === UUID_LENGTH && isUuid(part)) found.add(part.toLowerCase());
      } else if (typeof part === 'object' && part !== null && !isBinary(part)) rest.push(part);
    }
  };
  visit(values);
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (Array.isArray(value)) visit(value);
    else {
      visit(Object.keys(value));
      visit(Object.values(value));
    }
  }
  return found;
}

/** A list with an object's own field; empty if the field is absent or null. */
function fieldValue(part: unknown, key: string): unknown[] {
  if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return [];
  const value = (part as Record<string, unknown>)[key];
  return value === undefined || value === null ? [] : [value];
}

function tooMany(): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    `A request with a limited credential must not have more than ${MAX_VALUES} values.`,
    'Keys count as values too. Split the request, or use a key without a limit.',
  );
}
