import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsISO8601 } from 'class-validator';
import { Checked, IfPresent, IsFilledText, IsUuidText, SCOPES, type ScopeName } from '../../../core/http/index.js';
import { isUuid } from '../../../core/ids/index.js';
import type { ApiKey, CreateKey } from './keys.types.js';

const MOST_AGENTS = 1000;
const MOST_USERS = 1000;

function IsUsersGrant(): PropertyDecorator {
  const ids = { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: MOST_USERS };
  return Checked(
    'isUsersGrant',
    { anyOf: [{ const: 'all' }, ids] },
    (value) => value === 'all' || (Array.isArray(value) && value.length > 0 && value.length <= MOST_USERS && value.every(isUuid)),
    () => `$property must be "all" or a list of 1 to ${MOST_USERS} UUIDs of users`,
  );
}

/** Body of `POST /api/keys`. */
export class CreateKeyBody {
  /** What the key is for. */
  @IsFilledText(255)
  name!: string;

  /** What it allows; each scope includes the ones before it. `read` when absent. */
  @IfPresent()
  @IsIn(SCOPES)
  scope?: ScopeName;

  /** Agents it is limited to; all of them when absent. */
  @IfPresent()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MOST_AGENTS)
  @IsUuidText({ each: true, message: 'each entry of agents must be a UUID (8-4-4-4-12 hexadecimal digits)' })
  agents?: string[];

  /** Users whom it vouches for, so that agents recall what they said elsewhere: `all`, or their ids; none when absent. */
  @IfPresent()
  @IsUsersGrant()
  users?: unknown;

  /** When it ends, ISO 8601; never when absent. */
  @IfPresent()
  @IsISO8601({ strict: true })
  expiresAt?: string;
}

/** An API key as it is shown: never its text. */
export class KeyView {
  /** UUID. */
  id!: string;
  /** What the key is for. */
  name!: string;
  /** What it allows: `read`, `write` or `admin`; each includes the ones before it. */
  scope!: string;
  /** Agents it is limited to; null when it is not limited. */
  agents!: string[] | null;
  /** Users whom it vouches for: `all`, or a list of their ids; null when it vouches for nobody. */
  users!: unknown;
  /** ISO 8601. */
  createdAt!: string;
  /** When it ends, ISO 8601; null when it does not. */
  expiresAt!: string | null;
  /** When it was revoked, ISO 8601; null when it was not. */
  revokedAt!: string | null;
  /** When it was used last, ISO 8601, to the minute; null when it never was. */
  lastUsedAt!: string | null;
}

export class KeysView {
  /** Newest first, revoked and expired ones too. */
  keys!: KeyView[];
}

export class CreatedKeyView {
  /** What is known of the key from now on. */
  key!: KeyView;
  /** The key itself, to be sent as X-API-KEY or Authorization: Bearer. It is shown this once. */
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
    users: key.users === 'inherited' ? 'all' : key.users,
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: text(key.expiresAt),
    revokedAt: text(key.revokedAt),
    lastUsedAt: text(key.lastUsedAt),
  };
}
