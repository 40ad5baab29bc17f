import { Injectable, Module } from '@nestjs/common';
import { isUuid } from '../ids/index.js';

/** The owners of a resource. A module adds owners of its own kind by declaration merging. */
export interface Ownership {
  readonly agents: readonly string[];
  /** The only user of a direct channel with agents. */
  readonly directUser?: string;
}

/** A channel's owners have changed; `isOver`: the channel, or the session that it belongs to, has ended. */
type OwnersChanged = (channelId: string, isOver: boolean) => void;

type ResolveOwnership = (id: string, agentId?: string) => Promise<Ownership | undefined> | Ownership | undefined;

/**
 * Resolves the owners of the resources that requests name, by path parameter: `agentId`, `channelId`, `sessionId`, and further parameters
 * that modules register. Callers that are restricted to some agents or to a session reach only their own resources. Operations without a
 * registered path parameter are closed to them.
 */
@Injectable()
export class OwnershipResolver {
  private readonly resolvers = new Map<string, ResolveOwnership>();
  private readonly listeners = new Set<OwnersChanged>();

  /**
   * @param resolve returns undefined for an unknown id. It also gets the agent id of the request's path, if any, because different agents
   *   may have different resources with the same id
   */
  register(parameter: string, resolve: ResolveOwnership): void {
    this.resolvers.set(parameter, resolve);
  }

  /** Tells that the owners of a channel have changed, or that it is over. Called in every process, after the commit. */
  changed(channelId: string, isOver = false): void {
    for (const listener of this.listeners) listener(channelId, isOver);
  }

  onChange(listener: OwnersChanged): void {
    this.listeners.add(listener);
  }

  has(parameter: string): boolean {
    return this.resolvers.has(parameter);
  }

  /**
   * Returns a promise only when a lookup is necessary.
   *
   * @param agentId agent id of the request's path
   */
  resolve(parameter: string, id: string, agentId?: unknown): Promise<Ownership | undefined> | Ownership | undefined {
    if (!isUuid(id)) return undefined;
    return this.resolvers.get(parameter)?.(id.toLowerCase(), isUuid(agentId) ? agentId.toLowerCase() : undefined);
  }
}

@Module({ providers: [OwnershipResolver], exports: [OwnershipResolver] })
export class OwnershipModule {}
