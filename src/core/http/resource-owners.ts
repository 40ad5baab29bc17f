import { Injectable, Module } from '@nestjs/common';
import { isUuid } from '../ids/index.js';
import type { OwnedSession } from './caller.js';

/** Whose something is. */
export interface Owned {
  /** Agents that have to do with it. */
  readonly agents: readonly string[];
  /** For a session. */
  readonly session?: OwnedSession;
}

type Find = (id: string, agentId?: string) => Promise<Owned | undefined> | Owned | undefined;
/** Finds a session by the channel in which it is held; the name of no path parameter. */
export const SESSION_CHANNEL = 'channel of a session';

/**
 * Whose the things are that requests name, by the name of the path parameter: `agentId`, `channelId`, `sessionId`, and what
 * else registers here. Callers that are limited to some agents, or to a session, are let through to what is theirs; an
 * operation whose path names nothing that is registered here is closed to them.
 */
@Injectable()
export class ResourceOwners {
  private readonly finders = new Map<string, Find>();

  /**
   * @param find gives back undefined for an id that nothing has; is told the agent of the request's path where that names one, since agents may
   *   have different things under one id
   */
  register(parameter: string, find: Find): void {
    this.finders.set(parameter, find);
  }

  knows(parameter: string): boolean {
    return this.finders.has(parameter);
  }

  /**
   * A promise only where something has to be looked up.
   *
   * @param agentId of the request's path
   */
  find(parameter: string, id: string, agentId?: unknown): Promise<Owned | undefined> | Owned | undefined {
    if (!isUuid(id)) return undefined;
    return this.finders.get(parameter)?.(id.toLowerCase(), isUuid(agentId) ? agentId.toLowerCase() : undefined);
  }
}

@Module({ providers: [ResourceOwners], exports: [ResourceOwners] })
export class OwnersModule {}
