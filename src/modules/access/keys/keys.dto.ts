import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsISO8601 } from 'class-validator';
import { Check, IfPresent, IsFilledText, IsUuidText, SCOPES, type ScopeName } from '../../../core/http/index.js';
import { isUuid } from '../../../core/ids/index.js';
import type { ApiKey, CreateKey } from './keys.types.js';

const MAX_AGENTS = 1000;
const MAX_USERS = 1000;

function IsUsersGrant(): PropertyDecorator {
  const ids = { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: MAX_USERS };
  return Check(
    'isUsersGrant',
    { anyOf: [{ const: 'all' }, ids] },
    (value) => value === 'all' || (Array.isArray(value) && value.length > 0 && value.length <= MAX_USERS && value.every(isUuid)),
    () => `$property must be "all" or a list of 1 to ${MAX_USERS} UUIDs of users`,
  );
}

/** Body of `POST /api/keys`. */
export class CreateKeyBody {
  /** What the key is for. */
  @IsFilledText(255)
  name!: string;

  /** Scope of the key; each scope includes the previous ones. `read` when absent. */
  @IfPresent()
  @IsIn(SCOPES)
  scope?: ScopeName;

  /** Agents to which the key is limited; no limit when absent. */
  @IfPresent()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_AGENTS)
  @IsUuidText({ each: true, message: 'each entry of agents must be a UUID (8-4-4-4-12 hexadecimal digits)' })
  agents?: string[];

  /** Users for whom the key vouches, so that agents recall their other conversations: `all`, or their ids; none when absent. */
  @IfPresent()
  @IsUsersGrant()
  users?: unknown;

  /** Expiry, ISO 8601; the key does not expire when absent. */
  @IfPresent()
  @IsISO8601({ strict: true })
  expiresAt?: string;
}

/** An API key, without its text. */
export class KeyView {
  /** UUID. */
  id!: string;
  /** What the key is for. */
  name!: string;
  /** `read`, `write` or `admin`; each scope includes the previous ones. */
  scope!: string;
  /** Agents to which the key is limited; null for no limit. */
  agents!: string[] | null;
  /** Users for whom the key vouches: `all`, or a list of their ids; null for none. */
  users!: unknown;
  /** ISO 8601. */
  createdAt!: string;
  /** Expiry, ISO 8601; null if the key does not expire. */
  expiresAt!: string | null;
  /** When it was revoked, ISO 8601; null if it is not revoked. */
  revokedAt!: string | null;
  /** Last use, ISO 8601, to the minute; null if never used. */
  lastUsedAt!: string | null;
}

export class KeysView {
  /** Newest first, revoked and expired ones too. */
  keys!: KeyView[];
}

export class CreatedKeyView {
  /** The stored key. */
  key!: KeyView;
  /** The key's text, to be sent as X-API-KEY or Authorization: Bearer. It is shown only once. */
  token!: string;
}

export function toCreateKey({ name, scope = 'read', agents, users, expiresAt }: CreateKeyBody): CreateKey {
  return {
    name,
    scope,
    agents: agents ?? null,
    users: (users ?? null) as CreateKey['users'],
    expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
  };
}

export function presentKey(key: ApiKey): KeyView {
  const text = (instant: number | null): string | null => (instant === null ? null : new Date(instant).toISOString());
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    agents: key.agents && [...key.agents],
    users: key.users,
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: text(key.expiresAt),
    revokedAt: text(key.revokedAt),
    lastUsedAt: text(key.lastUsedAt),
  };
}
