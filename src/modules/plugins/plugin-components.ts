import { Injectable } from '@nestjs/common';
import { Log } from '../../core/logging/index.js';
import { errorMessage } from '../../core/errors/index.js';
import { anySignal } from '../../core/signals/index.js';
import type { Action, AgentRuntime, Plugin } from '../../plugin-sdk/index.js';
import { toTool, type ToolContext } from '../../providers/tools/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { TurnComponents } from '../turns/index.js';
import { AgentEvents } from './agent-events.js';
import { AgentModels } from './agent-models.js';
import { AgentServices } from './agent-services.js';
import type { ComponentProblem } from './plugin-problems.js';
import { describeMissing, createRuntime, type RuntimeContext } from './plugin-runtime.js';

/** The parts of a loaded plugin that this class needs. */
interface AttachedPlugin {
  readonly plugin: Plugin;
  readonly source: { readonly label: string };
  readonly context: RuntimeContext;
  readonly unloading: AbortController;
}

/** Registers a plugin's actions, providers, evaluators, services, events and models, and unregisters them. */
@Injectable()
export class PluginComponents {
  private readonly attached = new Map<AttachedPlugin, (() => void)[]>();
  private readonly log = new Log('plugins');

  constructor(
    private readonly agents: AgentsService,
    private readonly turns: TurnComponents,
    private readonly events: AgentEvents,
    private readonly models: AgentModels,
    private readonly services: AgentServices,
  ) {}

  /** Never rejects: failures are listed in `problems`, and the other components are registered. */
  async attach(loaded: AttachedPlugin): Promise<void> {
    const { plugin, context, unloading } = loaded;
    const { actions, providers, evaluators, toolSources = [], priority = 0 } = plugin;
    const runtime = (agent: Agent, signal: AbortSignal = unloading.signal): AgentRuntime =>
      createRuntime(context, agent, anySignal(signal, unloading.signal));
    const undo: (() => void)[] = [];
    this.attached.set(loaded, undo);
    if (actions?.length || providers?.length || evaluators?.length || toolSources.length > 0) {
      const { problems } = context;
      const onFailed = (component: string, error: unknown, asking?: AgentRuntime): void => {
        const lacked = asking && describeMissing(asking);
        problems.record(component, lacked === undefined ? error : `${errorMessage(error)} (${lacked})`);
      };
      const onAsked = (component: string, asking: AgentRuntime, useful: boolean): string | undefined => {
        const lacked = describeMissing(asking);
        if (useful || lacked === undefined) problems.clearIdle(component, asking.agentId);
        else problems.recordIdle(component, asking.agentId, `it contributes nothing for ${asking.character.name}: ${lacked}`);
        return lacked;
      };
      const appliesTo = (agent: Agent): boolean => this.appliesTo(loaded, agent);
      undo.push(this.turns.register(plugin.name, { actions, providers, evaluators, appliesTo, runtime, onFailed, onAsked }));
      const sources = toolSources.map((source) => ({
        name: source.name,
        tools: async ({ agent, message, state, signal }: ToolContext<Agent>) =>
          (await source.tools(runtime(agent, signal), message, state)).flatMap((tool: Partial<Action> | null) => {
            if (typeof tool?.handler === 'function') return [toTool(tool as Action, (own) => runtime(agent, own), message, state)];
            onFailed(`tool source ${source.name}`, new Error('it returned a tool without a handler'));
            return [];
          }),
      }));
      if (sources.length > 0) undo.push(this.turns.register(plugin.name, { toolSources: sources, appliesTo, onFailed }));
    }
    const modelCalls = new Set<AbortController>();
    for (const [type, handler] of Object.entries(plugin.models ?? {})) {
      const call = async (agent: Agent, params: unknown, signal: AbortSignal): Promise<unknown> => {
        // The caller may be a service, whose signal lasts until its plugin is unloaded.
        const own = new AbortController();
        modelCalls.add(own);
        try {
          return await handler.call(plugin.models, runtime(agent, anySignal(own.signal, signal)), params as never);
        } finally {
          modelCalls.delete(own);
        }
      };
      undo.push(this.models.register({ type, priority, call }));
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

  /** Starts a plugin's services for agents. Never rejects: failures are listed in `problems`. */
  async startServices(loaded: AttachedPlugin, agents: readonly Agent[]): Promise<void> {
    const { plugin, context, unloading } = loaded;
    await Promise.all(
      (plugin.services ?? []).flatMap((service) =>
        agents.map(async (agent) => {
          const component = `service ${service.serviceType}`;
          try {
            await this.services.start(loaded, service, createRuntime(context, agent, unloading.signal, component));
          } catch (error) {
            const isNew = context.problems.record(component, error);
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
  async detach(loaded: AttachedPlugin): Promise<void> {
    for (const undo of this.attached.get(loaded) ?? []) undo();
    this.attached.delete(loaded);
    for (const { type, error } of await this.services.stop({ owner: loaded })) {
      this.log.warn('a service could not be stopped', { plugin: loaded.plugin.name, service: type, error: String(error) });
    }
  }

  problems(): ComponentProblem[] {
    return [...this.attached.keys()].flatMap((loaded) => [...this.missingSettings(loaded), ...loaded.context.problems.list()]);
  }

  /** A plugin that characters list applies to their agents; an unlisted plugin applies to all. */
  private appliesTo({ plugin, source }: AttachedPlugin, agent: Agent): boolean {
    const lists = ({ character: { plugins = [] } }: Agent): boolean => plugins.includes(plugin.name) || plugins.includes(source.label);
    return lists(agent) || !this.agents.list().some(lists);
  }

  /** Required settings of the package that a running agent has no value for. */
  private missingSettings(loaded: AttachedPlugin): ComponentProblem[] {
    const { plugin, context } = loaded;
    const running = this.agents.list().filter((agent) => agent.status === 'active' && this.appliesTo(loaded, agent));
    return context.required.flatMap((name) => {
      if ((context.values.get(name) ?? context.variable(name)) !== undefined) return [];
      const without = running.filter(({ id }) => (this.agents.setting(id, name) ?? null) === null);
      if (without.length === 0) return [];
      const reason = `no value for ${without.map((agent) => agent.name).join(', ')}: set the environment variable or the agent's secret ${name}`;
      return [{ plugin: plugin.name, component: `setting ${name}`, reason, count: without.length }];
    });
  }
}
