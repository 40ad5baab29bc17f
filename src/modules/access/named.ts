import { AppError } from '../../core/errors/index.js';
import { isBinary } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';

// Who speaks, in the words of all doors.
const IDENTITIES = ['author_id', 'authorId', 'senderId', 'sender_id', 'userId', 'user_id', 'entityId', 'x-entity-id'];
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

/** Values and keys that are looked at for one request of a limited caller. */
const MOST_VALUES = 100_000;
const UUID_LENGTH = 36;

/** The things that a query or a body names at its top, by the name of the path parameter that they would be. */
export function namedResources(named: readonly unknown[]): (readonly [parameter: string, id: unknown])[] {
  return named.flatMap((part) => RESOURCES.flatMap(([key, parameter]) => given(part, key).map((id) => [parameter, id] as const)));
}

/** Who a query, a body or headers say that is speaking. */
export function identitiesIn(named: readonly unknown[]): unknown[] {
  return named.flatMap((part) => IDENTITIES.flatMap((key) => given(part, key)));
}

/**
 * Every UUID that stands anywhere in these values, as a value or as a key, in lower case. Binary data is not looked into.
 *
 * @throws AppError VALIDATION_ERROR when there are more values than are looked at
 */
export function allNamedIn(values: readonly unknown[]): Set<string> {
  const found = new Set<string>();
  const rest: object[] = [];
  let visited = 0;
  const visit = (parts: readonly unknown[]): void => {
    visited += parts.length;
    if (visited > MOST_VALUES) throw tooMany();
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

/** A field of an object's own, in a list; an empty list when it says nothing. */
function given(part: unknown, key: string): unknown[] {
  if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return [];
  const value = (part as Record<string, unknown>)[key];
  return value === undefined || value === null ? [] : [value];
}

function tooMany(): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    `A request with a limited credential must not have more than ${MOST_VALUES} values.`,
    'Keys count as values too. Split the request, or use a key without a limit.',
  );
}
