import { expect } from '@jest/globals';
import { isUuid } from '../../../src/core/ids/index.js';

/** An asymmetric matcher with a name that explains a failure. */
function like(name: string, matches: (value: unknown) => boolean): unknown {
  return {
    $$typeof: Symbol.for('jest.asymmetricMatcher'),
    asymmetricMatch: matches,
    toString: () => name,
    toAsymmetricMatcher: () => name,
  };
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const uuid = like('a UUID', (value) => isUuid(value) && value === value.toLowerCase());
const text = like('text', (value) => typeof value === 'string');
const filled = like('text that is not empty', (value) => typeof value === 'string' && value !== '');
const instant = like('an ISO 8601 instant', (value) => typeof value === 'string' && ISO.test(value));
const object = like('a JSON object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value));
const boolean = like('true or false', (value) => typeof value === 'boolean');
const count = like('a whole number of at least 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0);
const optionalUuid = like('a UUID or null', (value) => value === null || isUuid(value));

const timeoutConfig = { timeoutMinutes: count, autoRenew: boolean, maxDurationMinutes: count, warningThresholdMinutes: count };

/** The keys of each resource: those of the specification first, then those that clients of the original service read. */
export const SESSION = {
  sessionId: uuid,
  agentId: uuid,
  userId: uuid,
  createdAt: instant,
  expiresAt: instant,
  metadata: object,
  timeoutConfig,

  channelId: uuid,
  lastActivity: instant,
  renewalCount: count,
  timeRemaining: count,
  isNearExpiration: boolean,
  status: filled,
};

export const AGENT = {
  id: uuid,
  name: filled,
  characterName: filled,
  bio: text,
  status: like('active or inactive', (value) => value === 'active' || value === 'inactive'),
  topics: like('a list of texts', (value) => Array.isArray(value) && value.every((topic) => typeof topic === 'string')),
  createdAt: count,
  updatedAt: count,
};

export const WORLD = {
  id: uuid,
  name: filled,
  agentId: uuid,
  sourceType: text,
  sourceId: text,
  metadata: object,
  messageServerId: optionalUuid,
  serverId: optionalUuid,
  createdAt: count,
};

export const ROOM = {
  id: uuid,
  name: filled,
  source: filled,
  worldId: uuid,
  entities: like(
    'a list of { id, name }',
    (value) =>
      Array.isArray(value) &&
      value.every((one: { id: unknown; name: unknown }) => isUuid(one.id) && typeof one.name === 'string' && one.name !== ''),
  ),

  agentId: uuid,
  type: filled,
  channelId: optionalUuid,
  messageServerId: optionalUuid,
  serverId: optionalUuid,
  metadata: object,
  createdAt: count,
};

export const CHANNEL = {
  id: uuid,
  name: filled,
  serverId: uuid,
  type: filled,
  description: text,
  metadata: object,

  messageServerId: uuid,
  topic: text,
  createdAt: instant,
  updatedAt: instant,
};

export const SERVER = {
  id: uuid,
  name: filled,
  sourceType: filled,
  sourceId: like('text or null', (value) => value === null || typeof value === 'string'),
  metadata: object,
  createdAt: instant,
  updatedAt: instant,
};

export const MESSAGE = {
  id: uuid,
  channelId: uuid,
  authorId: uuid,
  content: filled,
  rawMessage: like('a JSON object or null', (value) => typeof value === 'object' && !Array.isArray(value)),
  sourceType: filled,
  metadata: object,
  inReplyToRootMessageId: optionalUuid,
  inReplyTo: optionalUuid,
  replyId: optionalUuid,
  isAgent: boolean,
  createdAt: instant,
  updatedAt: instant,

  channel_id: uuid,
  server_id: uuid,
  message_server_id: uuid,
  author_id: uuid,
  source_type: filled,
  created_at: count,
  updated_at: count,
};

/** What an agent answered, over `http` and at the end of a stream. */
export const AGENT_RESPONSE = {
  text,
  actions: like('a list', Array.isArray),
  providers: like('a list', Array.isArray),
  simple: boolean,
  agentId: uuid,
  messageId: uuid,
  responseId: uuid,
  replyId: uuid,
  inReplyTo: uuid,
};

/** Where a session stands after a message. */
export const SESSION_STATUS = { expiresAt: instant, renewalCount: count, wasRenewed: boolean, isNearExpiration: boolean };

export const MEMORY_UPDATE = { id: uuid, message: filled, memory: object };

/** Every key of the shape must be there with a value of its type; further keys may be. */
export function expectShape(value: unknown, shape: object): void {
  expect(value).toEqual(expect.objectContaining(shape));
}

/** The keys that an object must have, and no others. */
export function expectOnly(value: unknown, shape: object): void {
  expect(value).toEqual(shape);
}
