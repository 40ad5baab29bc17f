import { errorMessage } from '../../core/errors/index.js';

/** A component of a loaded plugin that failed or lacks a setting or service. */
export interface ComponentProblem {
  readonly plugin: string;
  /** For example `service weather`, `action WEATHER` or `setting WEATHER_KEY`. */
  readonly component: string;
  /** Reason of the last failure. */
  readonly reason: string;
  readonly count: number;
}

/** The problems of one plugin, by component. */
export class PluginProblems {
  private readonly found = new Map<string, ComponentProblem>();
  /** Components that contributed nothing for these agents, and may contribute later. */
  private readonly idle = new Map<string, Set<string>>();

  constructor(private readonly plugin: string) {}

  /** Records a failure. @returns whether its reason is new */
  record(component: string, error: unknown): boolean {
    const before = this.found.get(component);
    const reason = errorMessage(error);
    this.found.set(component, { plugin: this.plugin, component, reason, count: (before?.count ?? 0) + 1 });
    this.idle.delete(component);
    return before?.reason !== reason;
  }

  /** Records that a component contributed nothing for an agent. */
  recordIdle(component: string, agentId: string, reason: string): void {
    const agents = this.idle.get(component) ?? new Set<string>();
    if (this.found.has(component) && agents.size === 0) return;
    this.record(component, reason);
    this.idle.set(component, agents.add(agentId));
  }

  /** Clears `recordIdle` after the component contributed for the agent. */
  clearIdle(component: string, agentId: string): void {
    const agents = this.idle.get(component);
    if (!agents?.delete(agentId) || agents.size > 0) return;
    this.idle.delete(component);
    this.found.delete(component);
  }

  list(): ComponentProblem[] {
    return [...this.found.values()];
  }
}
