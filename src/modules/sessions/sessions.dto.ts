import { IsBoolean, IsIn, IsObject, ValidateNested, type ValidationArguments } from 'class-validator';
import { Type } from 'class-transformer';
import { AppError } from '../../core/errors/index.js';
import { Check, IfPresent, IsJsonObject, IsUuidText, pagedList } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { iso, TURN_POLICIES, type TurnPolicy } from '../messaging/index.js';
import { MAX_MINUTES, TIMEOUT_MINUTES } from './session-lifetime.js';
import type { CreateSession, SessionFilter, SessionList, SessionState, SessionView, TimeoutConfig } from './sessions.types.js';

/** Maximum length of the metadata of a session or of its messages, characters of JSON. */
export const MAX_METADATA_LENGTH = 10_240;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** Body of `PATCH /api/messaging/sessions/{sessionId}/timeout`, and `timeoutConfig` at creation. Absent fields stay as they are. */
export class TimeoutConfigBody implements Partial<TimeoutConfig> {
  @IfPresent()
  @IsWholeMinutes(TIMEOUT_MINUTES.min, TIMEOUT_MINUTES.max)
  timeoutMinutes?: number;

  @IfPresent()
  @IsBoolean({ message: 'Invalid timeout configuration: $property must be true or false' })
  autoRenew?: boolean;

  @IfPresent()
  @IsWholeMinutes(1, MAX_MINUTES)
  maxDurationMinutes?: number;

  @IfPresent()
  @IsWholeMinutes(1, MAX_MINUTES)
  warningThresholdMinutes?: number;
}

/** Body of `POST /api/messaging/sessions`. */
export class CreateSessionBody {
  @IsPartyId()
  agentId!: string;

  /** Required, except with a user token: without it the session is for the user of the token. */
  @IfPresent()
  @IsPartyId()
  userId?: string;

  @IfPresent()
  @IsJsonObject(MAX_METADATA_LENGTH, { message: `Invalid metadata: it must be a JSON object of at most ${MAX_METADATA_LENGTH} characters` })
  @HasTextKeys(['platform', 'username', 'discriminator', 'avatar'])
  metadata?: Record<string, unknown>;

  @IfPresent()
  @IsObject({ message: 'Invalid timeout configuration: timeoutConfig must be an object' })
  @ValidateNested({ message: 'Invalid timeout configuration: timeoutConfig must be an object' })
  @Type(() => TimeoutConfigBody)
  timeoutConfig?: TimeoutConfigBody;

  /** How a message is handled that arrives while a turn is in progress; `enqueue` when absent. */
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

  /** Page size; larger values are reduced to the maximum. */
  @IfPresent()
  @IsCount()
  limit?: string;

  @IfPresent()
  @IsCount()
  offset?: string;
}

/** @param actingUser the user of the caller's token @throws AppError VALIDATION_ERROR when neither names a user */
export function toCreate(body: CreateSessionBody, actingUser: string | undefined): Omit<CreateSession, 'users'> {
  const { agentId, userId = actingUser, metadata, timeoutConfig, turnPolicy } = body;
  if (userId === undefined) {
    throw new AppError(
      'VALIDATION_ERROR',
      MISSING_PARTY,
      'Send the UUID of the user as userId. Only a user token, on a server with API_KEY and USER_TOKEN_SECRET, names its user by itself.',
    );
  }
  return { agentId, userId, metadata, timeout: timeoutConfig, turnPolicy };
}

export function toFilter({ agentId, userId, limit, offset }: ListSessionsQuery): SessionFilter {
  return {
    agentId: agentId?.toLowerCase(),
    userId: userId?.toLowerCase(),
    limit: Math.min(limit === undefined ? DEFAULT_LIMIT : Number(limit), MAX_LIMIT),
    offset: offset === undefined ? 0 : Number(offset),
  };
}

/** The effective timeout configuration. */
export class TimeoutConfigView implements TimeoutConfig {
  /** Inactivity timeout, minutes, 5 to 1440. */
  timeoutMinutes!: number;
  /** Whether activity renews the session. */
  autoRenew!: boolean;
  /** Maximum duration, minutes. */
  maxDurationMinutes!: number;
  /** Time before the expiry at which the warning is sent, minutes. */
  warningThresholdMinutes!: number;
}

/** A session. */
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
  /** As given at creation. */
  metadata!: Record<string, unknown>;
  timeoutConfig!: TimeoutConfigView;
  /** The channel of the session's messages. @format uuid */
  channelId!: string;
  /** @format date-time */
  lastActivity!: string;
  renewalCount!: number;
  /** Milliseconds until the session expires. */
  timeRemaining!: number;
  /** Whether the warning threshold is reached. */
  isNearExpiration!: boolean;
  status!: SessionState;
  /** Session token, valid for this session only; returned at creation if the server requires credentials. */
  token?: string;
}

/** Numbers of sessions. */
export class SessionStatsView {
  totalSessions!: number;
  activeSessions!: number;
  /** Expired sessions that still return 410. */
  expiredSessions!: number;
}

/** A page of live sessions, newest first. */
export class SessionListView {
  sessions!: SessionResponse[];
  /** Total number of live sessions that match the query. */
  total!: number;
  stats!: SessionStatsView;
}

/** Health of the server's sessions. */
export class SessionsHealthView {
  /** `degraded`: warnings and expiries are currently not announced. */
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

export function presentSessions({ parts, total, counts }: SessionList): SessionListView {
  return {
    sessions: pagedList(parts, presentSession),
    total,
    stats: { totalSessions: counts.active + counts.expired, activeSessions: counts.active, expiredSessions: counts.expired },
  };
}

/** The contract requires one message for both fields (2.7), even if only one is missing. */
const MISSING_PARTY = 'Missing required fields: agentId, userId';

function IsPartyId(): PropertyDecorator {
  const bothGiven = ({ object }: ValidationArguments): boolean => {
    const { agentId, userId } = object as Record<string, unknown>;
    return typeof agentId === 'string' && (userId === undefined || typeof userId === 'string');
  };
  return Check(
    'isPartyId',
    { type: 'string', format: 'uuid' },
    (value, party) => (bothGiven(party) ? isUuid(value) : party.property !== 'agentId'),
    (party) => (bothGiven(party) ? `Invalid UUID format for field '${party.property}'` : MISSING_PARTY),
  );
}

function HasTextKeys(keys: readonly string[]): PropertyDecorator {
  const wrong = (value: unknown): string | undefined => {
    const object = Object(value) as Record<string, unknown>;
    return keys.find((key) => object[key] !== undefined && typeof object[key] !== 'string');
  };
  return Check(
    'hasTextKeys',
    { properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])) },
    (value) => wrong(value) === undefined,
    (field) => `Invalid metadata: ${wrong(field.value)} must be text`,
  );
}

function IsCount(): PropertyDecorator {
  return Check(
    'isCount',
    { type: 'integer', minimum: 0 },
    (value) => typeof value === 'string' && /^\d{1,9}$/.test(value),
    (field) => `Invalid pagination parameter '${field.property}': it must be a whole number`,
  );
}

function IsWholeMinutes(min: number, max: number): PropertyDecorator {
  return Check(
    'isWholeMinutes',
    { type: 'integer', minimum: min, maximum: max },
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
    () => `Invalid timeout configuration: $property must be an integer from ${min} to ${max}`,
  );
}
