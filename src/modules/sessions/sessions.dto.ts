import { IsBoolean, IsIn, IsObject, ValidateNested, type ValidationArguments } from 'class-validator';
import { Type } from 'class-transformer';
import { Checked, IfPresent, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { iso, TURN_POLICIES, type TurnPolicy } from '../messaging/index.js';
import { LONGEST_MINUTES, TIMEOUT_MINUTES } from './session-policy.js';
import type { CreateSession, SessionCounts, SessionFilter, SessionState, SessionView, TimeoutConfig } from './sessions.types.js';

/** Longest metadata of a session or of a message to one, characters of JSON. */
export const LONGEST_METADATA = 10_240;
const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 1000;

/** Body of `PATCH /api/messaging/sessions/{sessionId}/timeout`, and `timeoutConfig` at creation. Absent fields stay as they are. */
export class TimeoutConfigBody implements Partial<TimeoutConfig> {
  @IfPresent()
  @IsWholeMinutes(TIMEOUT_MINUTES.min, TIMEOUT_MINUTES.max)
  timeoutMinutes?: number;

  @IfPresent()
  @IsBoolean({ message: 'Invalid timeout configuration: $property must be true or false' })
  autoRenew?: boolean;

  @IfPresent()
  @IsWholeMinutes(1, LONGEST_MINUTES)
  maxDurationMinutes?: number;

  @IfPresent()
  @IsWholeMinutes(1, LONGEST_MINUTES)
  warningThresholdMinutes?: number;
}

/** Body of `POST /api/messaging/sessions`. */
export class CreateSessionBody {
  @IsPartyId()
  agentId!: string;

  @IsPartyId()
  userId!: string;

  @IfPresent()
  @IsJsonObject(LONGEST_METADATA, { message: `Invalid metadata: it must be a JSON object of at most ${LONGEST_METADATA} characters` })
  @HasTextKeys(['platform', 'username', 'discriminator', 'avatar'])
  metadata?: Record<string, unknown>;

  @IfPresent()
  @IsObject({ message: 'Invalid timeout configuration: timeoutConfig must be an object' })
  @ValidateNested({ message: 'Invalid timeout configuration: timeoutConfig must be an object' })
  @Type(() => TimeoutConfigBody)
  timeoutConfig?: TimeoutConfigBody;

  /** What happens to a message that arrives while an answer is being made; `enqueue` when it is not said. */
  @IfPresent()
  @IsIn(TURN_POLICIES)
  turnPolicy?: TurnPolicy;
}

/** Query of `GET /api/messaging/sessions`. */
export class ListSessionsQuery {
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  @IfPresent()
  @IsUuidText()
  userId?: string;

  /** Sessions in a page; more than the largest page is brought down to it. */
  @IfPresent()
  @IsCount()
  limit?: string;

  @IfPresent()
  @IsCount()
  offset?: string;
}

export function toCreate({ agentId, userId, metadata, timeoutConfig, turnPolicy }: CreateSessionBody): Omit<CreateSession, 'users'> {
  return { agentId, userId, metadata, timeout: timeoutConfig, turnPolicy };
}

export function toFilter({ agentId, userId, limit, offset }: ListSessionsQuery): SessionFilter {
  return {
    agentId: agentId?.toLowerCase(),
    userId: userId?.toLowerCase(),
    limit: Math.min(limit === undefined ? DEFAULT_LIMIT : Number(limit), LARGEST_LIMIT),
    offset: offset === undefined ? 0 : Number(offset),
  };
}

/** The timeout configuration that is in force. */
export class TimeoutConfigView implements TimeoutConfig {
  /** Inactivity after which it expires, minutes, 5 to 1440. */
  timeoutMinutes!: number;
  /** Whether activity renews it. */
  autoRenew!: boolean;
  /** Longest life in all, minutes. */
  maxDurationMinutes!: number;
  /** How long before its expiry a warning is due, minutes. */
  warningThresholdMinutes!: number;
}

/** A session as every operation shows it: the specification's fields first. */
export class SessionResponse {
  /** @format uuid */
  sessionId!: string;
  /** @format uuid */
  agentId!: string;
  /** @format uuid */
  userId!: string;
  /** @format date-time */
  createdAt!: string;
  /** @format date-time */
  expiresAt!: string;
  /** As it was given at creation. */
  metadata!: Record<string, unknown>;
  timeoutConfig!: TimeoutConfigView;
  /** The channel that holds its messages. @format uuid */
  channelId!: string;
  /** @format date-time */
  lastActivity!: string;
  renewalCount!: number;
  /** Milliseconds until it expires. */
  timeRemaining!: number;
  /** Whether the warning is due. */
  isNearExpiration!: boolean;
  status!: SessionState;
  /** Reads and speaks in this session and nowhere else; at creation, when the server asks for credentials. */
  token?: string;
}

/** How many sessions there are. */
export class SessionStatsView {
  totalSessions!: number;
  activeSessions!: number;
  /** Those that are still answered with 410. */
  expiredSessions!: number;
}

/** A page of live sessions, newest first. */
export class SessionListView {
  sessions!: SessionResponse[];
  /** Live sessions that fit the query, in all pages. */
  total!: number;
  stats!: SessionStatsView;
}

/** How the sessions of this server are. */
export class SessionsHealthView {
  /** `degraded`: warnings and expiries are not announced at the moment. */
  status!: 'healthy' | 'degraded';
  activeSessions!: number;
  expiringSoon!: number;
  /** @format date-time */
  timestamp!: string;
  /** Seconds since the server started. */
  uptime!: number;
}

/** A session that was ended. */
export class EndedSessionView {
  success!: boolean;
  message!: string;
  /** @format uuid */
  sessionId!: string;
}

export function presentSession(session: SessionView): SessionResponse {
  return {
    sessionId: session.id,
    agentId: session.agentId,
    userId: session.userId,
    createdAt: iso(session.createdAt),
    expiresAt: iso(session.expiresAt),
    metadata: session.metadata,
    timeoutConfig: session.timeout,
    channelId: session.channelId,
    lastActivity: iso(session.lastActivity),
    renewalCount: session.renewalCount,
    timeRemaining: session.timeRemaining,
    isNearExpiration: session.isNearExpiration,
    status: session.state,
  };
}

export function presentSessions({
  sessions,
  total,
  counts,
}: {
  sessions: SessionView[];
  total: number;
  counts: SessionCounts;
}): SessionListView {
  return {
    sessions: sessions.map(presentSession),
    total,
    stats: { totalSessions: counts.active + counts.expired, activeSessions: counts.active, expiredSessions: counts.expired },
  };
}

/** Both parties are asked for together (contract 2.7), so that is what the message says when one is missing. */
function IsPartyId(): PropertyDecorator {
  const bothGiven = ({ object }: ValidationArguments): boolean => {
    const { agentId, userId } = object as Record<string, unknown>;
    return typeof agentId === 'string' && typeof userId === 'string';
  };
  return Checked(
    'isPartyId',
    { type: 'string', format: 'uuid' },
    (value, party) => (bothGiven(party) ? isUuid(value) : party.property !== 'agentId'),
    (party) => (bothGiven(party) ? `Invalid UUID format for field '${party.property}'` : 'Missing required fields: agentId, userId'),
  );
}

function HasTextKeys(keys: readonly string[]): PropertyDecorator {
  const wrong = (value: unknown): string | undefined => {
    const object = Object(value) as Record<string, unknown>;
    return keys.find((key) => object[key] !== undefined && typeof object[key] !== 'string');
  };
  return Checked(
    'hasTextKeys',
    { properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])) },
    (value) => wrong(value) === undefined,
    (field) => `Invalid metadata: ${wrong(field.value)} must be text`,
  );
}

function IsCount(): PropertyDecorator {
  return Checked(
    'isCount',
    { type: 'integer', minimum: 0 },
    (value) => typeof value === 'string' && /^\d{1,9}$/.test(value),
    (field) => `Invalid pagination parameter '${field.property}': it must be a whole number`,
  );
}

function IsWholeMinutes(min: number, max: number): PropertyDecorator {
  return Checked(
    'isWholeMinutes',
    { type: 'integer', minimum: min, maximum: max },
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
    () => `Invalid timeout configuration: $property must be an integer from ${min} to ${max}`,
  );
}
