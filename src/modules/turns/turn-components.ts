import { Injectable } from '@nestjs/common';
import { Log } from '../../core/logging/index.js';
import type { Action, AgentRuntime, Evaluator, Provider } from '../../plugin-sdk/index.js';
import type { ToolSource } from '../../providers/tools/index.js';
import type { Agent } from '../agents/index.js';

/** The owner of components that take part in turns. */
export interface ComponentOwner {
  /** Whether the components apply to an agent. */
  appliesTo(agent: Agent): boolean;
  /** Called after each failure, which is already logged. */
  onFailed?(component: string, error: unknown, runtime?: AgentRuntime): void;
  /**
   * Called after a component was asked.
   *
   * @param useful whether the component contributed to the turn
   * @returns the settings and services that the component asked for and did not get, if any
   */
  onAsked?(component: string, runtime: AgentRuntime, useful: boolean): string | undefined;
}

/** The components of one plugin. */
export interface ComponentSet extends ComponentOwner {
  readonly actions?: readonly Action[];
  readonly providers?: readonly Provider[];
  readonly evaluators?: readonly Evaluator[];
  /** Creates the runtime for a call. */
  runtime(agent: Agent, signal: AbortSignal): AgentRuntime;
}

/** The tool sources of one plugin or module. */
export interface ToolSet extends ComponentOwner {
  readonly toolSources: readonly ToolSource<Agent>[];
}

export interface Component<T, Set extends ComponentOwner = ComponentSet> {
  readonly definition: T;
  readonly owner: string;
  readonly set: Set;
}

/** An event inside a turn that is not in the journal. */
export interface TurnEvent {
  readonly type: 'MODEL_USED' | 'ACTION_STARTED' | 'ACTION_COMPLETED' | 'EVALUATOR_STARTED' | 'EVALUATOR_COMPLETED';
  readonly agentId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Registry of components that take part in turns. Plugins register here, so that turns do not depend on plugins. */
@Injectable()
export class TurnComponents {
  private readonly sets = new Map<ComponentSet | ToolSet, string>();
  private readonly listeners = new Set<(event: TurnEvent) => void>();
  private readonly log = new Log('turns');

  /** @returns a function that unregisters the set; calls from turns that are already running fail afterwards */
  register(owner: string, set: ComponentSet | ToolSet): () => void {
    this.sets.set(set, owner);
    return () => this.sets.delete(set);
  }

  /** Names of the owners, without duplicates. */
  owners(): string[] {
    return [...new Set(this.sets.values())];
  }

  actionsOf(agent: Agent): Component<Action>[] {
    return this.of(agent, ({ actions }) => actions);
  }

  /** Actions of sets that do not apply to the agent. */
  actionsOfOthers(agent: Agent): Component<Action>[] {
    return this.of(agent, ({ actions }) => actions, false);
  }

  providersOf(agent: Agent): Component<Provider>[] {
    return this.of(agent, ({ providers }) => providers);
  }

  evaluatorsOf(agent: Agent): Component<Evaluator>[] {
    return this.of(agent, ({ evaluators }) => evaluators);
  }

  toolSourcesOf(agent: Agent): Component<ToolSource<Agent>, ComponentOwner>[] {
    return [...this.sets].flatMap(([set, owner]) =>
      'toolSources' in set && set.appliesTo(agent) ? set.toolSources.map((definition) => ({ definition, owner, set })) : [],
    );
  }

  /** Whether the component's set is still registered. */
  isRegistered({ set }: Component<unknown, ComponentOwner>): boolean {
    return this.sets.has(set as ComponentSet | ToolSet);
  }

  /** Subscribes to the events of turns in this process. The listener must not throw or block. @returns the unsubscribe function */
  listen(listener: (event: TurnEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  notify(event: TurnEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  /** Logs a failure and notifies the owner. @param runtime the runtime of the failed call */
  report(
    kind: string,
    { definition, owner, set }: Component<{ readonly name: string }, ComponentOwner>,
    error: unknown,
    runtime?: AgentRuntime,
  ): void {
    this.log.warn(`${kind} ${definition.name} of ${owner} failed`, { owner, [kind]: definition.name, error: String(error) });
    set.onFailed?.(`${kind} ${definition.name}`, error, runtime);
  }

  private of<T>(agent: Agent, pick: (set: ComponentSet) => readonly T[] | undefined, applies = true): Component<T>[] {
    if (this.sets.size === 0) return [];
    return [...this.sets].flatMap(([set, owner]) =>
      !('toolSources' in set) && set.appliesTo(agent) === applies
        ? (pick(set) ?? []).map((definition) => ({ definition, owner, set }))
        : [],
    );
  }
}
