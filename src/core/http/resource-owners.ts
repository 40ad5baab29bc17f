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

type Find = (id: string) => Promise<Owned | undefined> | Owned | undefined;

/**
 * Whose the things are that requests name, by the name of the path parameter: `agentId`, `channelId`, `sessionId`, and what
 * else registers here. Callers that are limited to some agents, or to a session, are let through to what is theirs; an
 * operation whose path names nothing that is registered here is closed to them.
 */
@Injectable()
export class ResourceOwners {
  private readonly finders = new Map<string, Find>();

  /** @param find gives back undefined for an id that nothing has */
  register(parameter: string, find: Find): void {
    this.finders.set(parameter, find);
  }

  knows(parameter: string): boolean {
    return this.finders.has(parameter);
  }

  async find(parameter: string, id: string): Promise<Owned | undefined> {
    return isUuid(id) ? this.finders.get(parameter)?.(id.toLowerCase()) : undefined;
  }
}

@Module({ providers: [ResourceOwners], exports: [ResourceOwners] })
export class OwnersModule {}
