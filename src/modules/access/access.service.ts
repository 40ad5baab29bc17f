import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { isUuid } from '../../core/ids/index.js';
import { OwnershipResolver, SCOPES, type Caller, type ScopeName } from '../../core/http/index.js';
import { tokenIn, type Credentials } from './credentials.js';
import { KEY_PREFIX, KeysService, invalidReason } from './keys/keys.service.js';
import { uuidsIn, claimedIdentities, referencedResources } from './request-references.js';
import { SESSION_CHANNEL } from './session-access.js';
import { SESSION_TOKEN_PREFIX, SessionTokens } from './session-tokens.js';
import { InvalidUserToken, UserTokens } from './user-tokens.js';

/** The caller of a server without API_KEY. */
export const OPEN_ACCESS: Caller = { id: 'everybody', scope: 'admin', users: 'all' };
const ANONYMOUS: Caller = { id: 'nobody' };
const ADMINISTRATOR: Caller = { id: 'administrator', scope: 'admin', users: 'all' };

const SESSION_OVER = 'The session of this token is over';
const CREATE_SESSION = 'Create another session; the response contains its token.';
// Open connections stay long enough after a session's expiry to receive its event.
const EXPIRY_GRACE_MS = 5000;

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
  async isStillValid({ id, session, user }: Caller): Promise<boolean> {
    if (user) return this.clock.now() < user.expiresAt;
    if (session) {
      const found = (await this.owners.resolve('sessionId', session.id))?.session;
      return found !== undefined && (found.expiredAt === undefined || this.clock.now() < found.expiredAt + EXPIRY_GRACE_MS);
    }
    return id.startsWith('key:') ? this.keys.isValid(id.slice('key:'.length)) : true;
  }

  /** Returns a promise only for limited callers. @throws AppError UNAUTHORIZED, FORBIDDEN */
  check(caller: Caller, request: AccessRequest): void | Promise<void> {
    this.checkScope(caller, request.scope);
    // A session can be created without a credential, so a wrong key counts as none. A wrong user token is reported.
    if (request.sessionStart === true && caller.rejectedUserToken === true) throw unauthorized(caller.refusal ?? '');
    if (caller.session) this.checkSession(caller.session, request);
    if (caller.user) return this.checkUser(caller.user.id, caller.agents, request);
    if (caller.agents) return this.checkAgents(caller.agents, request, caller.session);
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
    const id = this.tokens.sessionOf(token);
    if (id === undefined) return refused('The session token is wrong');
    const session = (await this.owners.resolve('sessionId', id))?.session;
    if (!session) return refused(SESSION_OVER);
    const users = session.vouched ? { users: new Set([session.userId]) } : {};
    return { id: `session:${id}`, scope: 'write', session, agents: new Set([session.agentId]), ...users };
  }

  private async keyCaller(token: string): Promise<Caller> {
    const key = await this.keys.findByToken(token);
    const reason = key ? invalidReason(key, this.clock.now()) : 'The API key is wrong';
    if (!key || reason !== undefined) return refused(reason ?? '');
    const { users } = key;
    return {
      id: `key:${key.id}`,
      name: key.name,
      scope: key.scope,
      ...(key.agents ? { agents: new Set(key.agents) } : {}),
      ...(users === null ? {} : { users: users === 'all' || users === 'inherited' ? ('all' as const) : new Set(users) }),
    };
  }

  private async userCaller(token: string): Promise<Caller> {
    try {
      const { userId, expiresAt, agents } = await this.userTokens.verify(token);
      const limit = agents ? { agents: new Set(agents) } : {};
      return { id: `user:${userId}`, scope: 'write', user: { id: userId, expiresAt }, users: new Set([userId]), ...limit };
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
    const claimed = claimedIdentities(named);
    if (claimed.some((id) => !isSameId(id, userId)) || (forUsers === true && claimed.length === 0)) {
      throw forbidden('A user token acts only for its own user.', `Its user is ${userId}.`);
    }
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
    if (claimedIdentities(named).some((id) => !isSameId(id, session.userId))) {
      throw forbidden('A session token acts only for its own user.', `Its user is ${session.userId}.`);
    }
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

function refused(refusal: string): Caller {
  return { ...ANONYMOUS, refusal };
}

function unauthorized(message: string): AppError {
  return new AppError('UNAUTHORIZED', message, 'Send an API key, a user token or a session token as X-API-KEY or Authorization: Bearer.');
}

function forbidden(message: string, details: string): AppError {
  return new AppError('FORBIDDEN', message, details);
}

function isSameId(given: unknown, id: string): boolean {
  return typeof given === 'string' && given.toLowerCase() === id;
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
