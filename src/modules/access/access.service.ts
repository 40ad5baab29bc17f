import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { isUuid } from '../../core/ids/index.js';
import { ResourceOwners, SCOPES, SESSION_CHANNEL, type Caller, type ScopeName } from '../../core/http/index.js';
import { SESSION_TOKEN_PREFIX, SessionTokens } from '../../core/vault/index.js';
import { tokenIn, type Credentials } from './credentials.js';
import { KEY_PREFIX, KeysService, whyInvalid } from './keys/keys.service.js';
import { allNamedIn, identitiesIn, namedResources } from './named.js';
import { UserTokenRefused, UserTokens } from './user-tokens.js';

/** The caller where no credential is asked for. */
export const EVERYBODY: Caller = { id: 'everybody', scope: 'admin', users: 'all' };
const NOBODY: Caller = { id: 'nobody' };
const ADMINISTRATOR: Caller = { id: 'administrator', scope: 'admin', users: 'all' };

const OVER = 'The session of this token is over';
const RENEW = 'Create another session; its answer has a token of its own.';
// What is open when a session expires hears of that before it is cut.
const PARTING_MS = 5000;

/** What an operation asks of its caller, and what the request names. */
export interface Demand {
  /** Undefined when anybody may, though a caller that is limited stays so. */
  readonly scope?: ScopeName;
  readonly forLimited: boolean;
  readonly inSession: boolean;
  /** True for the creation of a session. */
  readonly sessionStart?: boolean;
  /** Path parameters by their names. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Query, body and whatever else may name things and people. */
  readonly named: readonly unknown[];
}

/** Who a caller is and what it may do: the one place for HTTP, sockets and plugin routes. */
@Injectable()
export class AccessService {
  private readonly expected: Buffer | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: KeysService,
    private readonly tokens: SessionTokens,
    private readonly userTokens: UserTokens,
    private readonly owners: ResourceOwners,
    private readonly clock: Clock,
  ) {
    this.expected = config.apiKey === undefined ? undefined : digest(config.apiKey);
  }

  /** Whether credentials are asked for at all: not without API_KEY, and then the server listens on loopback only. */
  get required(): boolean {
    return this.expected !== undefined;
  }

  get sessionStartIsOpen(): boolean {
    return !this.config.sessionsRequireAuth;
  }

  /** Who sent this. Takes the same time for every wrong key. A promise only where something has to be looked up. */
  identify(credentials: Credentials): Caller | Promise<Caller> {
    if (this.expected === undefined) return EVERYBODY;
    const token = tokenIn(credentials);
    const { queryToken } = credentials;
    if (token === undefined) {
      return this.config.queryTokens && typeof queryToken === 'string' ? this.bySession(queryToken) : NOBODY;
    }
    if (timingSafeEqual(digest(token), this.expected)) return ADMINISTRATOR;
    if (token.startsWith(SESSION_TOKEN_PREFIX)) return this.bySession(token);
    if (token.startsWith(KEY_PREFIX)) return this.byKey(token);
    return this.userTokens.mayBe(token) ? this.byUser(token) : refused('The API key is wrong');
  }

  /** Whether a credential that was accepted earlier still is; for sockets, which are let in once. */
  async stillValid({ id, session, user }: Caller): Promise<boolean> {
    if (user) return this.clock.now() < user.expiresAt;
    if (session) {
      const found = (await this.owners.find('sessionId', session.id))?.session;
      return found !== undefined && (found.expiredAt === undefined || this.clock.now() < found.expiredAt + PARTING_MS);
    }
    return id.startsWith('key:') ? this.keys.isValid(id.slice('key:'.length)) : true;
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN. A promise only for callers that are limited */
  check(caller: Caller, demand: Demand): void | Promise<void> {
    this.checkScope(caller, demand.scope);
    // Creating a session needs no credential, so a wrong key counts as none; an app must learn that the token of its user is wrong.
    if (demand.sessionStart === true && caller.refusedUser === true) throw unauthorized(caller.refusal ?? '');
    if (caller.session) this.checkSession(caller.session, demand);
    if (caller.user) return this.checkUser(caller.user.id, caller.agents, demand);
    if (caller.agents) return this.checkAgents(caller.agents, demand, caller.session);
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN */
  checkScope(caller: Caller, scope: ScopeName | undefined): void {
    if (scope === undefined) return;
    if (caller.scope === undefined) {
      throw unauthorized(caller.refusal ?? 'API key required');
    }
    if (SCOPES.indexOf(caller.scope) < SCOPES.indexOf(scope)) {
      throw new AppError('FORBIDDEN', `This needs a key of the scope ${scope}.`, `The key that was sent has the scope ${caller.scope}.`);
    }
  }

  private async bySession(token: string): Promise<Caller> {
    const id = this.tokens.sessionOf(token);
    if (id === undefined) return refused('The session token is wrong');
    const session = (await this.owners.find('sessionId', id))?.session;
    if (!session) return refused(OVER);
    const users = session.vouched ? { users: new Set([session.userId]) } : {};
    return { id: `session:${id}`, scope: 'write', session, agents: new Set([session.agentId]), ...users };
  }

  private async byKey(token: string): Promise<Caller> {
    const key = await this.keys.byToken(token);
    const reason = key ? whyInvalid(key, this.clock.now()) : 'The API key is wrong';
    if (!key || reason !== undefined) return refused(reason ?? '');
    const { users } = key;
    return {
      id: `key:${key.id}`,
      scope: key.scope,
      ...(key.agents ? { agents: new Set(key.agents) } : {}),
      ...(users === null ? {} : { users: users === 'all' || users === 'inherited' ? ('all' as const) : new Set(users) }),
    };
  }

  private async byUser(token: string): Promise<Caller> {
    try {
      const { userId, expiresAt, agents } = await this.userTokens.read(token);
      const limit = agents ? { agents: new Set(agents) } : {};
      return { id: `user:${userId}`, scope: 'write', user: { id: userId, expiresAt }, users: new Set([userId]), ...limit };
    } catch (error) {
      if (error instanceof UserTokenRefused) return { ...refused(error.message), refusedUser: true };
      throw error;
    }
  }

  /** A user token: creates sessions of its user, and is let to the operations that are open to the tokens of these sessions. */
  private async checkUser(userId: string, agents: Caller['agents'], demand: Demand): Promise<void> {
    const { scope, sessionStart, inSession, params, named } = demand;
    if (scope === undefined && sessionStart !== true) return;
    if (identitiesIn(named).some((id) => !same(id, userId))) {
      throw forbidden("A user token speaks in its user's name only.", `Its user is ${userId}.`);
    }
    if (sessionStart === true) return agents && this.checkAgents(agents, { ...demand, forLimited: true }, undefined);
    const { sessionId, channelId } = params;
    const found = inSession ? await this.sessionsNamed(params) : [];
    const mine = found.length > 0 && found.every((session) => session?.userId === userId && session.id === found[0]?.id);
    // Without such a session the operation says so.
    const missing = inSession && isUuid(sessionId) && channelId === undefined && found[0] === undefined;
    if (!mine && !missing) {
      throw forbidden("A user token reads and speaks in its user's sessions only.", `Its user is ${userId}.`);
    }
    if (channelId !== undefined && found[0]?.expiredAt !== undefined) throw forbidden('The session of this channel is over.', RENEW);
    if (agents) return this.checkAgents(agents, demand, found[0]);
  }

  /** The sessions that path parameters name by their ids and by their channels. */
  private sessionsNamed({ sessionId, channelId }: Demand['params']): Promise<(Caller['session'] | undefined)[]> {
    const named = [
      ['sessionId', sessionId],
      [SESSION_CHANNEL, channelId],
    ] as const;
    const given = named.filter((each): each is [(typeof each)[0], string] => typeof each[1] === 'string');
    return Promise.all(given.map(async ([name, id]) => (await this.owners.find(name, id))?.session));
  }

  /** A session's token: the operations that are open to it, in its own session, in its user's name. */
  private checkSession(session: NonNullable<Caller['session']>, { inSession, params, named, scope }: Demand): void {
    if (scope === undefined) return;
    // The session's own operations say that it has expired; its channel is closed.
    if (session.expiredAt !== undefined && !same(params['sessionId'], session.id)) throw new AppError('UNAUTHORIZED', OVER, RENEW);
    const own: Record<string, string> = { sessionId: session.id, channelId: session.channelId };
    const here = Object.entries(own).some(([name, id]) => same(params[name], id));
    const elsewhere = Object.entries(own).some(([name, id]) => params[name] !== undefined && !same(params[name], id));
    if (!inSession || !here || elsewhere) {
      throw forbidden('A session token reads and speaks in its own session only.', `Its session is ${session.id}.`);
    }
    if (identitiesIn(named).some((id) => !same(id, session.userId))) {
      throw forbidden("A session token speaks in its user's name only.", `Its user is ${session.userId}.`);
    }
  }

  /** A caller that is limited to agents: things of theirs, and nobody else's agent named anywhere. */
  private async checkAgents(
    agents: ReadonlySet<string>,
    { forLimited, params, named, scope }: Demand,
    session: Caller['session'],
  ): Promise<void> {
    const reaches = (ids: readonly string[]): boolean => ids.length > 0 && ids.every((id) => agents.has(id.toLowerCase()));
    const things = [
      ...Object.entries(params).filter(([name]) => this.owners.knows(name)),
      ...namedResources(named).filter(([name]) => this.owners.knows(name)),
    ];
    if (scope !== undefined && !forLimited && !session && !Object.keys(params).some((name) => this.owners.knows(name))) {
      throw forbidden('This operation is not open to keys that are limited to some agents.', 'Use a key without that limit.');
    }
    for (const [name, id] of things) {
      // A session's own channel stays its own when other agents join it.
      if (typeof id !== 'string' || (name === 'channelId' && session && same(id, session.channelId))) continue;
      const owned = name === 'agentId' ? { agents: [id] } : await this.owners.find(name, id, params['agentId']);
      // What is not there is the operation's to answer.
      if (owned && !reaches(owned.agents)) throw forbidden('The credential is not for this agent.', `It does not reach ${name} ${id}.`);
    }
    for (const id of allNamedIn(named)) {
      if (agents.has(id)) continue;
      const found = this.owners.find('agentId', id);
      // There may be thousands of ids, and most are no agent's: each await would cost more than the look.
      if (found instanceof Promise ? await found : found) {
        throw forbidden('The credential is not for an agent that the request names.', `It does not reach the agent ${id}.`);
      }
    }
  }
}

function refused(refusal: string): Caller {
  return { ...NOBODY, refusal };
}

function unauthorized(message: string): AppError {
  return new AppError('UNAUTHORIZED', message, 'Send an API key, a user token or a session token as X-API-KEY or Authorization: Bearer.');
}

function forbidden(message: string, details: string): AppError {
  return new AppError('FORBIDDEN', message, details);
}

function same(given: unknown, id: string): boolean {
  return typeof given === 'string' && given.toLowerCase() === id;
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
