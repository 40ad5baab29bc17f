/** A part of a plugin that failed, or that lacks something, while the plugin is loaded. */
export interface ComponentProblem {
  readonly plugin: string;
  /** Such as `service weather`, `action WEATHER` or `setting WEATHER_KEY`. */
  readonly component: string;
  /** Of the last time. */
  readonly reason: string;
  readonly count: number;
}

/** What is wrong with one plugin, by its parts. */
export class PluginFaults {
  private readonly found = new Map<string, ComponentProblem>();
  /** Parts that had nothing to offer to these agents: they may have the next time. */
  private readonly idle = new Map<string, Set<string>>();

  constructor(private readonly plugin: string) {}

  /** @returns whether it is new */
  note(component: string, error: unknown): boolean {
    const before = this.found.get(component);
    const reason = error instanceof Error ? error.message : String(error);
    this.found.set(component, { plugin: this.plugin, component, reason, count: (before?.count ?? 0) + 1 });
    this.idle.delete(component);
    return before?.reason !== reason;
  }

  /** A part had nothing to offer to an agent. */
  noteIdle(component: string, agentId: string, reason: string): void {
    const agents = this.idle.get(component) ?? new Set<string>();
    if (this.found.has(component) && agents.size === 0) return;
    this.note(component, reason);
    this.idle.set(component, agents.add(agentId));
  }

  /** A part that had nothing to offer to an agent has something now. */
  useful(component: string, agentId: string): void {
    const agents = this.idle.get(component);
    if (!agents?.delete(agentId) || agents.size > 0) return;
    this.idle.delete(component);
    this.found.delete(component);
  }

  list(): ComponentProblem[] {
    return [...this.found.values()];
  }
}
