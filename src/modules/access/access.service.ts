import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { isUuid } from '../../core/ids/index.js';
import { OwnershipResolver, SCOPES, type Caller, type ScopeName } from '../../core/http/index.js';
import { tokenIn, type Credentials } from './credentials.js';
import { KEY_PREFIX, KeysService, invalidReason } from './keys/keys.service.js';
import type { ApiKey } from './keys/keys.types.js';
import { uuidsIn, claimedIdentities, referencedResources } from './request-references.js';
import { SESSION_CHANNEL } from './session-access.js';
import { SESSION_TOKEN_PREFIX, SessionTokens } from './session-tokens.js';
import { InvalidUserToken, UserTokens } from './user-tokens.js';

/** The caller of a server without API_KEY. */
export const OPEN_ACCESS: Caller = { id: 'everybody', scope: 'admin', users: 'all' };
/** A caller without a credential. */
export const ANONYMOUS: Caller = { id: 'nobody' };
const ADMINISTRATOR: Caller = { id: 'administrator', scope: 'admin', users: 'all' };

const SESSION_OVER = 'The session of this token is over';
const CREATE_SESSION = 'Create another session; the response contains its token.';
// Open connections stay long enough after a session's expiry to receive its event.
const EXPIRY_GRACE_MS = 1000;
const KEY_CALLER = 'key:';

/** The requirements of an operation, and the resources that the request names. */
export interface AccessRequest {
  /** Undefined for public operations; the limits of limited callers still apply. */
  readonly scope?: ScopeName;
  readonly forLimited: boolean;
  readonly inSession: boolean;
  /** True for an operation that user tokens may use outside of their sessions and channels. */
  readonly forUsers?: boolean;
  /** True for the creation of a session. */
  readonly sessionStart?: boolean;
  /** Path parameters by their names. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Query, body and other inputs that may name resources and users. */
  readonly inputs: readonly unknown[];
}

/** Authentication and authorization for HTTP, sockets and plugin routes. */
@Injectable()
export class AccessService {
  private readonly apiKeyDigest: Buffer | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: KeysService,
    private readonly tokens: SessionTokens,
    private readonly userTokens: UserTokens,
    private readonly owners: OwnershipResolver,
    private readonly clock: Clock,
  ) {
    this.apiKeyDigest = config.apiKey === undefined ? undefined : digest(config.apiKey);
  }

  /** Whether credentials are required. False without API_KEY; the server then listens on loopback only. */
  get isRequired(): boolean {
    return this.apiKeyDigest !== undefined;
  }

  get sessionStartIsOpen(): boolean {
    return !this.config.sessionsRequireAuth;
  }

  /** The caller of a credential. Takes the same time for every wrong key. Returns a promise only if a lookup is needed. */
  identify(credentials: Credentials): Caller | Promise<Caller> {
    if (this.apiKeyDigest === undefined) return OPEN_ACCESS;
    const token = tokenIn(credentials);
    const { queryToken } = credentials;
    if (token === undefined) {
      return this.config.queryTokens && typeof queryToken === 'string' ? this.sessionCaller(queryToken) : ANONYMOUS;
    }
    if (timingSafeEqual(digest(token), this.apiKeyDigest)) return ADMINISTRATOR;
    if (token.startsWith(SESSION_TOKEN_PREFIX)) return this.sessionCaller(token);
    if (token.startsWith(KEY_PREFIX)) return this.keyCaller(token);
    return this.userTokens.looksLikeToken(token) ? this.userCaller(token) : refused('The API key is wrong');
  }

  /** Whether a credential that was accepted earlier is still valid; for sockets, which authenticate once. */
  async isStillValid(caller: Caller): Promise<boolean> {
    const current = await this.current(caller);
    if (current === undefined) return false;
    const expiredAt = current.session?.expiredAt;
    return expiredAt === undefined || this.clock.now() < expiredAt + EXPIRY_GRACE_MS;
  }

  /**
   * Why a caller may no longer read what it was admitted to; undefined while it may.
   *
   * @param mustExist false while the request may still create its channel
   */
  async lossOf(caller: Caller, request: AccessRequest, mustExist: boolean): Promise<AppError | undefined> {
    const current = await this.current(caller);
    if (current === undefined) return unauthorized('The credential of this connection is no longer valid');
    try {
      if (this.isRequired) await this.check(current, request);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    if (!mustExist) return undefined;
    const { sessionId, channelId } = request.params;
    const named = Object.entries({ sessionId, channelId }).filter((each): each is [string, string] => typeof each[1] === 'string');
    const found = await Promise.all(named.map(async ([name, id]) => this.owners.resolve(name, id)));
    const isThere = found.every((owned, index) => owned && (named[index]?.[0] !== 'sessionId' || owned.session?.expiredAt === undefined));
    return isThere ? undefined : forbidden('This conversation is over.', 'Its session has ended, or its channel was deleted.');
  }

  /** The caller as its credential is now; undefined when the credential is no longer valid. */
  private async current(caller: Caller): Promise<Caller | undefined> {
    const { id, session, user, tokenEndsAt = Infinity } = caller;
    const now = this.clock.now();
    if (user) return now < user.expiresAt ? caller : undefined;
    if (session) {
      const found = now < tokenEndsAt ? (await this.owners.resolve('sessionId', session.id))?.session : undefined;
      return found && { ...caller, session: found };
    }
    if (!id.startsWith(KEY_CALLER)) return caller;
    const key = await this.keys.findValid(id.slice(KEY_CALLER.length));
    return key && callerOfKey(key);
  }

  /** Returns a promise only for limited callers. @throws AppError UNAUTHORIZED, FORBIDDEN */
  check(caller: Caller, request: AccessRequest): void | Promise<void> {
    this.checkCredential(caller, request);
    if (caller.session) this.checkSession(caller.session, request);
    if (caller.user) return this.checkUser(caller.user.id, caller.agents, request);
    if (caller.agents) return this.checkAgents(caller.agents, request, caller.session);
  }

  /** The part of `check` that needs no more than the credential. @throws AppError UNAUTHORIZED, FORBIDDEN */
  checkCredential(caller: Caller, { scope, sessionStart }: Pick<AccessRequest, 'scope' | 'sessionStart'>): void {
    this.checkScope(caller, scope);
    // A session can be created without a credential, so a wrong key counts as none. A wrong user token is reported.
    if (sessionStart === true && caller.rejectedUserToken === true) throw unauthorized(caller.refusal ?? '');
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN */
  checkScope(caller: Caller, scope: ScopeName | undefined): void {
    if (scope === undefined) return;
    if (caller.scope === undefined) {
      throw unauthorized(caller.refusal ?? 'API key required');
    }
    if (SCOPES.indexOf(caller.scope) < SCOPES.indexOf(scope)) {
      throw new AppError('FORBIDDEN', `This operation requires a key with the scope ${scope}.`, `The key has the scope ${caller.scope}.`);
    }
  }

  private async sessionCaller(token: string): Promise<Caller> {
    const claims = this.tokens.verify(token);
    if (claims === undefined) return refused('The session token is wrong');
    const { sessionId: id, endsAt } = claims;
    if (endsAt !== undefined && this.clock.now() >= endsAt) return refused('The session token has ended with the user token that got it');
    const session = (await this.owners.resolve('sessionId', id))?.session;
    if (!session) return refused(SESSION_OVER);
    const users = session.vouched ? { users: new Set([session.userId]) } : {};
    const end = endsAt === undefined ? {} : { tokenEndsAt: endsAt };
    return { id: `session:${id}`, scope: 'write', session, actsFor: session.userId, agents: new Set([session.agentId]), ...users, ...end };
  }

  private async keyCaller(token: string): Promise<Caller> {
    const key = await this.keys.findByToken(token);
    const reason = key ? invalidReason(key, this.clock.now()) : 'The API key is wrong';
    return key && reason === undefined ? callerOfKey(key) : refused(reason ?? '');
  }

  private async userCaller(token: string): Promise<Caller> {
    try {
      const { userId, expiresAt, agents } = await this.userTokens.verify(token);
      const limit = agents ? { agents: new Set(agents) } : {};
      const user = { id: userId, expiresAt };
      return { id: `user:${userId}`, scope: 'write', user, actsFor: userId, users: new Set([userId]), ...limit };
    } catch (error) {
      if (error instanceof InvalidUserToken) return { ...refused(error.message), rejectedUserToken: true };
      throw error;
    }
  }

  /**
   * A user token creates sessions and direct channels of its user. In them it may use the operations that are open to session tokens.
   */
  private async checkUser(userId: string, agents: Caller['agents'], request: AccessRequest): Promise<void> {
    const { scope, sessionStart, forUsers, inSession, params, inputs: named } = request;
    if (scope === undefined && sessionStart !== true) return;
    assertOwnUser('user', userId, named);
    if (sessionStart === true || forUsers === true) return agents && this.checkAgents(agents, { ...request, forLimited: true }, undefined);
    const { sessionId, channelId } = params;
    const found = inSession ? await this.referencedSessions(params) : [];
    const isOwn = found.length > 0 && found.every((session) => session?.userId === userId && session.id === found[0]?.id);
    // The operation itself reports an unknown session.
    const missing = inSession && isUuid(sessionId) && channelId === undefined && found[0] === undefined;
    if (!isOwn && !missing && !(inSession && sessionId === undefined && (await this.isDirectChannelOf(userId, channelId)))) {
      throw forbidden("A user token is valid only in its user's sessions and direct channels with agents.", `Its user is ${userId}.`);
    }
    if (channelId !== undefined && found[0]?.expiredAt !== undefined) {
      throw forbidden('The session of this channel is over.', CREATE_SESSION);
    }
    if (agents) return this.checkAgents(agents, request, found[0]);
  }

  private async isDirectChannelOf(userId: string, channelId: unknown): Promise<boolean> {
    return typeof channelId === 'string' && (await this.owners.resolve('channelId', channelId))?.directUser === userId;
  }

  /** The sessions that path parameters name, by session id and by channel id. */
  private referencedSessions({ sessionId, channelId }: AccessRequest['params']): Promise<(Caller['session'] | undefined)[]> {
    const named = [
      ['sessionId', sessionId],
      [SESSION_CHANNEL, channelId],
    ] as const;
    const given = named.filter((each): each is [(typeof each)[0], string] => typeof each[1] === 'string');
    return Promise.all(given.map(async ([name, id]) => (await this.owners.resolve(name, id))?.session));
  }

  /** A session token may use the operations that are open to it, in its own session and for its own user. */
  private checkSession(session: NonNullable<Caller['session']>, { inSession, params, inputs: named, scope }: AccessRequest): void {
    if (scope === undefined) return;
    // Operations on the session report its expiry themselves; its channel is no longer accessible.
    if (session.expiredAt !== undefined && !isSameId(params['sessionId'], session.id)) {
      throw new AppError('UNAUTHORIZED', SESSION_OVER, CREATE_SESSION);
    }
    const own: Record<string, string> = { sessionId: session.id, channelId: session.channelId };
    const namesOwn = Object.entries(own).some(([name, id]) => isSameId(params[name], id));
    const namesOther = Object.entries(own).some(([name, id]) => params[name] !== undefined && !isSameId(params[name], id));
    if (!inSession || !namesOwn || namesOther) {
      throw forbidden('A session token is valid only in its own session.', `Its session is ${session.id}.`);
    }
    assertOwnUser('session', session.userId, named);
  }

  /** A caller that is limited to agents may use only their resources, and must not name other agents anywhere in the request. */
  private async checkAgents(
    agents: ReadonlySet<string>,
    { forLimited, params, inputs: named, scope }: AccessRequest,
    session: Caller['session'],
  ): Promise<void> {
    const covers = (ids: readonly string[]): boolean => ids.length > 0 && ids.every((id) => agents.has(id.toLowerCase()));
    const resources = [
      ...Object.entries(params).filter(([name]) => this.owners.has(name)),
      ...referencedResources(named).filter(([name]) => this.owners.has(name)),
    ];
    if (scope !== undefined && !forLimited && !session && !Object.keys(params).some((name) => this.owners.has(name))) {
      throw forbidden('This operation is not open to keys that are limited to some agents.', 'Use a key without that limit.');
    }
    for (const [name, id] of resources) {
      // A session keeps access to its channel when other agents join the channel.
      if (typeof id !== 'string' || (name === 'channelId' && session && isSameId(id, session.channelId))) continue;
      const owned = name === 'agentId' ? { agents: [id] } : await this.owners.resolve(name, id, params['agentId']);
      // The operation itself reports an unknown resource.
      if (owned && !covers(owned.agents)) throw forbidden('The credential is not for this agent.', `It does not reach ${name} ${id}.`);
    }
    for (const id of uuidsIn(named)) {
      if (agents.has(id)) continue;
      const found = this.owners.resolve('agentId', id);
      // Most of possibly thousands of ids are not agents' ids, so avoid an await per lookup.
      if (found instanceof Promise ? await found : found) {
        throw forbidden('The credential is not for an agent that the request names.', `It does not reach the agent ${id}.`);
      }
    }
  }
}

function callerOfKey({ id, name, scope, agents, users }: ApiKey): Caller {
  return {
    id: KEY_CALLER + id,
    name,
    scope,
    ...(agents ? { agents: new Set(agents) } : {}),
    ...(users === null ? {} : { users: users === 'all' || users === 'inherited' ? ('all' as const) : new Set(users) }),
  };
}

function refused(refusal: string): Caller {
  return { ...ANONYMOUS, refusal };
}

function unauthorized(message: string): AppError {
  return new AppError('UNAUTHORIZED', message, 'Send an API key, a user token or a session token as X-API-KEY or Authorization: Bearer.');
}

function forbidden(message: string, details: string): AppError {
  return new AppError('FORBIDDEN', message, details);
}

/** @throws AppError FORBIDDEN when the request names another user than that of the token */
function assertOwnUser(kind: 'user' | 'session', userId: string, inputs: readonly unknown[]): void {
  const other = claimedIdentities(inputs).find(([, id]) => !isSameId(id, userId));
  if (!other) return;
  const remedy = `Leave ${other[0]} out, or send the id of the token's user, ${userId}.`;
  throw forbidden(`A ${kind} token acts only for its own user, and ${other[0]} names another one.`, remedy);
}

function isSameId(given: unknown, id: string): boolean {
  return typeof given === 'string' && given.toLowerCase() === id;
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
