import { Injectable } from '@nestjs/common';
import { Clock, withTimeout } from '../../core/clock/index.js';
import { Log } from '../../core/logging/index.js';
import { AgentsService, type Agent, type AgentChange } from '../agents/index.js';
import type { LoadedPlugin } from './loaded-plugin.js';
import { PluginComponents } from './plugin-components.js';
import { createRuntime } from './plugin-runtime.js';

const INIT_LIMIT_MS = 30_000;

/** Initializes plugins for running agents, and reacts to agents that start, stop or list other plugins. */
@Injectable()
export class PluginInitializer {
  private following: Promise<void> = Promise.resolve();
  private readonly log = new Log('plugins');

  constructor(
    private readonly agents: AgentsService,
    private readonly components: PluginComponents,
    private readonly clock: Clock,
  ) {}

  /** The agent for a request without `agentId`: the first running agent that lists the plugin, else the first running agent. */
  defaultAgent(plugin: string): Agent | undefined {
    const running = this.running();
    return running.find(({ character }) => character.plugins?.includes(plugin)) ?? running[0];
  }

  /** Initializes a plugin for every running agent. @throws the error of `init`; Error after 30 s */
  async initialise(loaded: LoadedPlugin): Promise<void> {
    try {
      for (const agent of this.running()) await this.initialiseFor(loaded, agent);
    } catch (error) {
      // Lets background work that `init` started end itself.
      loaded.unloading.abort();
      throw error;
    }
  }

  private async initialiseFor({ plugin, context, unloading }: LoadedPlugin, agent: Agent): Promise<void> {
    if (!plugin.init) return;
    const config = Object.fromEntries([...context.values].flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])));
    const runtime = createRuntime(context, agent, unloading.signal, 'init');
    await withTimeout(this.clock, INIT_LIMIT_MS, () => plugin.init?.(config, runtime), { message: 'its init did not end' });
  }

  /** Subscribes to agent changes. @param plugins the plugins that are loaded at the time of a change */
  followChanges(plugins: () => readonly LoadedPlugin[]): void {
    this.agents.onChange((change) => this.follow(change, plugins));
  }

  /** Resolves when all changes so far are processed. */
  async whenIdle(): Promise<void> {
    await this.following;
  }

  /** Starts plugins for an agent that starts, and stops their services for one that stops; a changed plugin list does both. */
  private follow({ before, after }: AgentChange, plugins: () => readonly LoadedPlugin[]): void {
    const [ran, runs] = [before?.status === 'active', after?.status === 'active'];
    if (ran === runs && (!runs || pluginListKey(before) === pluginListKey(after))) return;
    this.following = this.following.then(async () => {
      if (before && ran) await this.components.stopServices(before.id);
      if (after && runs) for (const loaded of plugins()) await this.startForAgent(loaded, after);
    });
  }

  private async startForAgent(loaded: LoadedPlugin, agent: Agent): Promise<void> {
    try {
      await this.initialiseFor(loaded, agent);
      await this.components.startServices(loaded, [agent]);
    } catch (error) {
      this.log.error(`init of plugin ${loaded.plugin.name} failed`, error, { agentId: agent.id });
      loaded.context.problems.record('init', error);
    }
  }

  private running(): Agent[] {
    return this.agents.list().filter(({ status }) => status === 'active');
  }
}

/** A canonical key of the plugins in an agent's character. */
function pluginListKey(agent: Agent | undefined): string {
  return JSON.stringify([...(agent?.character.plugins ?? [])].sort());
}
