import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { OwnershipResolver, SCOPES, type Caller, type ScopeName } from '../../core/http/index.js';
import { forbidden, unauthorized } from './access-refusals.js';
import type { AccessRequest } from './access-request.js';
import { Callers } from './callers.js';
import type { Credentials } from './credentials.js';
import { LimitedAccess } from './limited-access.js';

// Open connections stay long enough after a session's expiry to receive its event.
const EXPIRY_GRACE_MS = 1000;

/** Authentication and authorization for HTTP, sockets and plugin routes. */
@Injectable()
export class AccessService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly callers: Callers,
    private readonly limited: LimitedAccess,
    private readonly owners: OwnershipResolver,
    private readonly clock: Clock,
  ) {}

  /** Whether credentials are required. False without API_KEY; the server then listens on loopback only. */
  get isRequired(): boolean {
    return this.callers.isRequired;
  }

  get sessionStartIsOpen(): boolean {
    return !this.config.sessionsRequireAuth;
  }

  /** The caller of a credential. Takes the same time for every wrong key. Returns a promise only if a lookup is needed. */
  identify(credentials: Credentials): Caller | Promise<Caller> {
    return this.callers.identify(credentials);
  }

  /** Whether a credential that was accepted earlier is still valid; for sockets, which authenticate once. */
  async isStillValid(caller: Caller): Promise<boolean> {
    const current = await this.callers.current(caller);
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
    const current = await this.callers.current(caller);
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

  /** Returns a promise only for limited callers. @throws AppError UNAUTHORIZED, FORBIDDEN */
  check(caller: Caller, request: AccessRequest): void | Promise<void> {
    this.checkCredential(caller, request);
    if (caller.session) this.limited.checkSession(caller.session, request);
    if (caller.user) return this.limited.checkUser(caller.user.id, caller.agents, request);
    if (caller.agents) return this.limited.checkAgents(caller.agents, request, caller.session);
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
}
