import { Injectable } from '@nestjs/common';
import { Log } from '../../core/logging/index.js';
import type { Action, AgentRuntime, Evaluator, Provider } from '../../plugin-sdk/index.js';
import type { Agent } from '../agents/index.js';

/** What one owner brings into turns. */
export interface ComponentSet {
  readonly actions?: readonly Action[];
  readonly providers?: readonly Provider[];
  readonly evaluators?: readonly Evaluator[];
  /** Whether an agent has these. */
  appliesTo(agent: Agent): boolean;
  /** The runtime that they are called with. */
  runtime(agent: Agent, signal: AbortSignal): AgentRuntime;
  /** Hears of each failure, for the owner's state; it is logged already. */
  failed?(component: string, error: unknown, runtime?: AgentRuntime): void;
  /** Hears whether a part had something to offer to a turn, and with which runtime it was asked. */
  asked?(component: string, runtime: AgentRuntime, useful: boolean): void;
}

export interface Component<T> {
  readonly it: T;
  readonly owner: string;
  readonly set: ComponentSet;
}

/** What happens inside a turn and is in no journal. */
export interface TurnEvent {
  readonly type: 'MODEL_USED' | 'ACTION_STARTED' | 'ACTION_COMPLETED' | 'EVALUATOR_STARTED' | 'EVALUATOR_COMPLETED';
  readonly agentId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What takes part in turns. Owned here, filled from above: turns know of no plugin. */
@Injectable()
export class TurnComponents {
  private readonly sets = new Map<ComponentSet, string>();
  private readonly listeners = new Set<(event: TurnEvent) => void>();
  private readonly log = new Log('turns');

  /** @returns what takes the set away again; turns that run keep what they were offered, and it fails there */
  register(owner: string, set: ComponentSet): () => void {
    this.sets.set(set, owner);
    return () => this.sets.delete(set);
  }

  /** Plugins that have registered something, each once. */
  owners(): string[] {
    return [...new Set(this.sets.values())];
  }

  actionsOf(agent: Agent): Component<Action>[] {
    return this.of(agent, ({ actions }) => actions);
  }

  providersOf(agent: Agent): Component<Provider>[] {
    return this.of(agent, ({ providers }) => providers);
  }

  evaluatorsOf(agent: Agent): Component<Evaluator>[] {
    return this.of(agent, ({ evaluators }) => evaluators);
  }

  /** Whether the owner's set is still there. */
  has({ set }: Component<unknown>): boolean {
    return this.sets.has(set);
  }

  /** Hears what happens in the turns of this process. Must not throw or wait. */
  listen(listener: (event: TurnEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(event: TurnEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  /** @param runtime with which it was called */
  report(kind: string, { it, owner, set }: Component<{ readonly name: string }>, error: unknown, runtime?: AgentRuntime): void {
    this.log.warn(`${kind} ${it.name} of plugin ${owner} failed`, { plugin: owner, [kind]: it.name, error: String(error) });
    set.failed?.(`${kind} ${it.name}`, error, runtime);
  }

  private of<T>(agent: Agent, pick: (set: ComponentSet) => readonly T[] | undefined): Component<T>[] {
    if (this.sets.size === 0) return [];
    return [...this.sets].flatMap(([set, owner]) => (set.appliesTo(agent) ? (pick(set) ?? []).map((it) => ({ it, owner, set })) : []));
  }
}
