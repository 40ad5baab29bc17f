import { Injectable } from '@nestjs/common';
import { OwnershipResolver, type Caller } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { CREATE_SESSION, forbidden, sessionOver } from './access-refusals.js';
import type { AccessRequest } from './access-request.js';
import { claimedIdentities, referencedResources, uuidsIn } from './request-references.js';
import { SESSION_CHANNEL } from './session-access.js';

/** What credentials may do that are limited to a session, a user or agents. */
@Injectable()
export class LimitedAccess {
  constructor(private readonly owners: OwnershipResolver) {}

  /**
   * A user token creates sessions and direct channels of its user. In them it may use the operations that are open to session tokens.
   */
  async checkUser(userId: string, agents: Caller['agents'], request: AccessRequest): Promise<void> {
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
  checkSession(session: NonNullable<Caller['session']>, { inSession, params, inputs: named, scope }: AccessRequest): void {
    if (scope === undefined) return;
    // Operations on the session report its expiry themselves; its channel is no longer accessible.
    if (session.expiredAt !== undefined && !isSameId(params['sessionId'], session.id)) {
      throw sessionOver();
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
  async checkAgents(
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
