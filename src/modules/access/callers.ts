import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { OwnershipResolver, type Caller } from '../../core/http/index.js';
import { SESSION_OVER } from './access-refusals.js';
import { tokenIn, type Credentials } from './credentials.js';
import { KEY_PREFIX, KeysService, invalidReason } from './keys/keys.service.js';
import type { ApiKey } from './keys/keys.types.js';
import { SESSION_TOKEN_PREFIX, SessionTokens } from './session-tokens.js';
import { InvalidUserToken, UserTokens } from './user-tokens.js';

/** The caller of a server without API_KEY. */
export const OPEN_ACCESS: Caller = { id: 'everybody', scope: 'admin', users: 'all' };
/** A caller without a credential. */
export const ANONYMOUS: Caller = { id: 'nobody' };
const ADMINISTRATOR: Caller = { id: 'administrator', scope: 'admin', users: 'all' };

const KEY_CALLER = 'key:';

/** Finds the caller of a credential: the administrator, a key, a session token or a user token. */
@Injectable()
export class Callers {
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

  /** The caller as its credential is now; undefined when the credential is no longer valid. */
  async current(caller: Caller): Promise<Caller | undefined> {
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
}

function callerOfKey({ id, name, scope, agents, users }: ApiKey): Caller {
  return {
    id: KEY_CALLER + id,
    name,
    scope,
    ...(agents ? { agents: new Set(agents) } : {}),
    ...(users === null ? {} : { users: users === 'all' ? ('all' as const) : new Set(users) }),
  };
}

function refused(refusal: string): Caller {
  return { ...ANONYMOUS, refusal };
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
