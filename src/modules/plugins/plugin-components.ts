import { Injectable } from '@nestjs/common';
import { Log } from '../../core/logging/index.js';
import { anySignal } from '../../core/signals/index.js';
import type { AgentRuntime, Plugin } from '../../plugin-sdk/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { TurnComponents } from '../turns/index.js';
import { AgentEvents } from './agent-events.js';
import { AgentModels } from './agent-models.js';
import { AgentServices } from './agent-services.js';
import type { ComponentProblem } from './plugin-faults.js';
import { lackedBy, runtimeFor, type RuntimeParts } from './plugin-runtime.js';

/** What is attached: a plugin as it is loaded. */
interface Attached {
  readonly plugin: Plugin;
  readonly source: { readonly label: string };
  readonly parts: RuntimeParts;
  readonly unloading: AbortController;
}

/** Puts a plugin's actions, providers, evaluators, services, events and models in their places, and takes them out again. */
@Injectable()
export class PluginComponents {
  private readonly attached = new Map<Attached, (() => void)[]>();
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
      const { faults } = parts;
      const failed = (component: string, error: unknown, asking?: AgentRuntime): void => {
        const lacked = asking && lackedBy(asking);
        faults.note(component, lacked === undefined ? error : `${reasonOf(error)} (${lacked})`);
      };
      const asked = (component: string, asking: AgentRuntime, useful: boolean): void => {
        const lacked = lackedBy(asking);
        if (useful || lacked === undefined) faults.useful(component, asking.agentId);
        else faults.noteIdle(component, asking.agentId, `it has nothing to offer to ${asking.character.name}: ${lacked}`);
      };
      const appliesTo = (agent: Agent): boolean => this.appliesTo(loaded, agent);
      undo.push(this.turns.register(plugin.name, { actions, providers, evaluators, appliesTo, runtime, failed, asked }));
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
          const component = `service ${service.serviceType}`;
          try {
            await this.services.start(loaded, service, runtimeFor(parts, agent, unloading.signal, component));
          } catch (error) {
            const isNew = parts.faults.note(component, error);
            if (isNew) this.log.error(`${component} of plugin ${plugin.name} did not start`, error, { agentId: agent.id });
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
    for (const { type, error } of await this.services.stop({ owner: loaded })) {
      this.log.warn('a service could not be stopped', { plugin: loaded.plugin.name, service: type, error: String(error) });
    }
  }

  problems(): ComponentProblem[] {
    return [...this.attached.keys()].flatMap((loaded) => [...this.missingSettings(loaded), ...loaded.parts.faults.list()]);
  }

  /** Plugins that some characters list are for these; one that none lists is for all. */
  private appliesTo({ plugin, source }: Attached, agent: Agent): boolean {
    const lists = ({ character: { plugins = [] } }: Agent): boolean => plugins.includes(plugin.name) || plugins.includes(source.label);
    return lists(agent) || !this.agents.list().some(lists);
  }

  /** What its package says that it cannot do without, and some running agent has no value for. */
  private missingSettings(loaded: Attached): ComponentProblem[] {
    const { plugin, parts } = loaded;
    const running = this.agents.list().filter((agent) => agent.status === 'active' && this.appliesTo(loaded, agent));
    return parts.required.flatMap((name) => {
      if ((parts.values.get(name) ?? parts.variable(name)) !== undefined) return [];
      const without = running.filter(({ id }) => (this.agents.setting(id, name) ?? null) === null);
      if (without.length === 0) return [];
      const reason = `it has no value for ${without.map((agent) => agent.name).join(', ')}: set the environment variable or the agent's secret ${name}`;
      return [{ plugin: plugin.name, component: `setting ${name}`, reason, count: without.length }];
    });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
