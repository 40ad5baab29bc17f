import { Injectable } from '@nestjs/common';
import { Log } from '../../core/logging/index.js';
import { anySignal } from '../../core/signals/index.js';
import type { AgentRuntime, Plugin } from '../../plugin-sdk/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { TurnComponents } from '../turns/index.js';
import { AgentEvents } from './agent-events.js';
import { AgentModels } from './agent-models.js';
import { AgentServices } from './agent-services.js';
import { runtimeFor, type RuntimeParts } from './plugin-runtime.js';

/** What is attached: a plugin as it is loaded. */
interface Attached {
  readonly plugin: Plugin;
  readonly source: { readonly label: string };
  readonly parts: RuntimeParts;
  readonly unloading: AbortController;
}

/** A part of a plugin that failed while it was loaded. */
export interface ComponentProblem {
  readonly plugin: string;
  /** Such as `service weather` or `action WEATHER`. */
  readonly component: string;
  /** Of the last time. */
  readonly reason: string;
  readonly count: number;
}

/** Puts a plugin's actions, providers, evaluators, services, events and models in their places, and takes them out again. */
@Injectable()
export class PluginComponents {
  private readonly attached = new Map<object, (() => void)[]>();
  private readonly failures = new Map<object, Map<string, ComponentProblem>>();
  private readonly log = new Log('plugins');

  constructor(
    private readonly agents: AgentsService,
    private readonly turns: TurnComponents,
    private readonly events: AgentEvents,
    private readonly models: AgentModels,
    private readonly services: AgentServices,
  ) {}

  /** Never rejects: what fails is named among the problems, the rest is there. */
  async attach(loaded: Attached): Promise<void> {
    const { plugin, parts, unloading } = loaded;
    const { actions, providers, evaluators, priority = 0 } = plugin;
    const runtime = (agent: Agent, signal: AbortSignal = unloading.signal): AgentRuntime =>
      runtimeFor(parts, agent, anySignal(signal, unloading.signal));
    const undo: (() => void)[] = [];
    this.attached.set(loaded, undo);
    if (actions?.length || providers?.length || evaluators?.length) {
      const failed = (component: string, error: unknown): void => this.note(loaded, component, error);
      const appliesTo = (agent: Agent): boolean => this.appliesTo(loaded, agent);
      undo.push(this.turns.register(plugin.name, { actions, providers, evaluators, appliesTo, runtime, failed }));
    }
    const asked = new Set<AbortController>();
    for (const [type, handler] of Object.entries(plugin.models ?? {})) {
      const call = async (agent: Agent, params: unknown, signal: AbortSignal): Promise<unknown> => {
        // Who asks may be a service, whose signal lives as long as its plugin.
        const own = new AbortController();
        asked.add(own);
        try {
          return await handler.call(plugin.models, runtime(agent, anySignal(own.signal, signal)), params as never);
        } finally {
          asked.delete(own);
        }
      };
      undo.push(this.models.offer({ type, priority, call }));
    }
    for (const [event, handlers] of Object.entries(plugin.events ?? {})) {
      for (const handler of handlers) {
        const call = (agent: Agent, payload: object): unknown => handler({ source: 'runtime', ...payload, runtime: runtime(agent) });
        undo.push(this.events.on({ event, call }));
      }
    }
    const running = this.agents.list().filter(({ status }) => status === 'active');
    await this.startServices(loaded, running);
  }

  /** Starts the services that a plugin has for agents. Never rejects: what fails is named among the problems. */
  async startServices(loaded: Attached, agents: readonly Agent[]): Promise<void> {
    const { plugin, parts, unloading } = loaded;
    await Promise.all(
      (plugin.services ?? []).flatMap((service) =>
        agents.map(async (agent) => {
          try {
            await this.services.start(loaded, service, runtimeFor(parts, agent, unloading.signal));
          } catch (error) {
            this.log.error(`service ${service.serviceType} of plugin ${plugin.name} did not start`, error, { agentId: agent.id });
            this.note(loaded, `service ${service.serviceType}`, error);
          }
        }),
      ),
    );
  }

  /** Stops all services of an agent. Never rejects. */
  async stopServices(agentId: string): Promise<void> {
    for (const { type, error } of await this.services.stop({ agentId })) {
      this.log.warn('a service could not be stopped', { agentId, service: type, error: String(error) });
    }
  }

  /** Never rejects. */
  async detach(loaded: Attached): Promise<void> {
    for (const undo of this.attached.get(loaded) ?? []) undo();
    this.attached.delete(loaded);
    this.failures.delete(loaded);
    for (const { type, error } of await this.services.stop({ owner: loaded })) {
      this.log.warn('a service could not be stopped', { plugin: loaded.plugin.name, service: type, error: String(error) });
    }
  }

  problems(): ComponentProblem[] {
    return [...this.failures.values()].flatMap((problems) => [...problems.values()]);
  }

  /** Plugins that some characters list are for these; one that none lists is for all. */
  private appliesTo({ plugin, source }: Attached, agent: Agent): boolean {
    const lists = ({ character: { plugins = [] } }: Agent): boolean => plugins.includes(plugin.name) || plugins.includes(source.label);
    return lists(agent) || !this.agents.list().some(lists);
  }

  note(loaded: Attached, component: string, error: unknown): void {
    if (!this.attached.has(loaded)) return;
    const problems = this.failures.get(loaded) ?? new Map<string, ComponentProblem>();
    this.failures.set(loaded, problems);
    const reason = error instanceof Error ? error.message : String(error);
    problems.set(component, { plugin: loaded.plugin.name, component, reason, count: (problems.get(component)?.count ?? 0) + 1 });
  }
}
