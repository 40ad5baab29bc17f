import { setMaxListeners } from 'node:events';
import { join, sep } from 'node:path';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { keepSecret, keepSecretsIn, Log } from '../../core/logging/index.js';
import type { AgentRuntime, Plugin } from '../../plugin-sdk/index.js';
import { AgentsService, type Agent, type AgentChange } from '../agents/index.js';
import { MediaService } from '../media/index.js';
import { ChannelMessagesService } from '../messaging/index.js';
import { PluginComponents } from './plugin-components.js';
import { forPlugins, parametersOf, parameterValues, pluginConfig, secretNames } from './plugin-config.js';
import { PluginFaults, type ComponentProblem } from './plugin-faults.js';
import { importPlugin, loadOrder } from './plugin-loader.js';
import { runtimeFor, type RuntimeParts } from './plugin-runtime.js';
import { routesOf } from './plugin-shape.js';
import { sourceNamed, sourcesIn, type PluginSource } from './plugin-source.js';
import { PluginStores } from './plugin-stores.js';
import { clash, mount, type BuiltInRoute, type MountedRoute } from './route-table.js';
import { RuntimeExtras } from './runtime-extras.js';
import { staticRoot } from './static-files.js';

/** A plugin that is loaded. */
export interface LoadedPlugin {
  readonly plugin: Plugin;
  readonly source: PluginSource;
  readonly routes: readonly MountedRoute[];
  /** Root of each STATIC route. */
  readonly roots: ReadonlyMap<MountedRoute, { root: string; file?: string }>;
  readonly parts: RuntimeParts;
  readonly unloading: AbortController;
  /** Requests that are being answered. */
  readonly inFlight: Set<Promise<unknown>>;
}

/** A plugin that is not there, and why. */
export interface FailedPlugin {
  readonly name: string;
  readonly source: string;
  readonly reason: string;
}

type Imported = { readonly plugin: Plugin; readonly source: PluginSource };

const IMPORT_LIMIT_MS = 30_000;
const INIT_LIMIT_MS = 30_000;
const UNLOAD_LIMIT_MS = 10_000;

/** Loads plugins, keeps them, and lets go of them. A plugin that fails is named with its reason; the others go on. */
@Injectable()
export class PluginHost implements OnApplicationShutdown {
  private readonly loaded = new Map<string, LoadedPlugin>();
  private failures: FailedPlugin[] = [];
  private readonly loadListeners = new Set<(plugin: string) => void>();
  /** Whatever was imported, since what it began goes on when it fails. */
  private readonly sources: PluginSource[] = [];
  /** Routes of the server itself. */
  builtIn: readonly BuiltInRoute[] = [];
  private serverUrl: () => string = () => '';
  private following: Promise<void> = Promise.resolve();
  private readonly log = new Log('plugins');

  constructor(
    private readonly agents: AgentsService,
    private readonly doors: ChannelMessagesService,
    private readonly media: MediaService,
    private readonly stores: PluginStores,
    private readonly components: PluginComponents,
    private readonly extras: RuntimeExtras,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Loads everything that is configured. Never rejects.
   *
   * @param serverUrl address of this server; empty before it listens
   */
  async start(builtIn: readonly BuiltInRoute[], serverUrl: () => string): Promise<void> {
    this.builtIn = builtIn;
    this.serverUrl = serverUrl;
    const found = [
      ...(await sourcesIn(this.config.pluginsDir)),
      ...this.config.plugins.map((name) => sourceNamed(name, this.config.pluginsDir)),
    ];
    for (const source of found) if ('reason' in source) this.fail(source.label, source.label, source.reason);
    const sources = found.filter((source): source is PluginSource => 'entry' in source);
    const imported: Imported[] = [];
    for (const source of sources) {
      try {
        const plugin = await this.import(source);
        const twin = imported.find((other) => other.plugin.name === plugin.name);
        if (twin) this.fail(plugin.name, source.label, `a plugin of this name is loaded from ${twin.source.label} already`);
        else imported.push({ plugin, source });
      } catch (error) {
        this.fail(source.label, source.label, reasonOf(error));
      }
    }
    const { order, refused } = loadOrder(imported);
    for (const [{ plugin, source }, reason] of refused) this.fail(plugin.name, source.label, reason);
    for (const { plugin, source } of order) await this.tryLoad(plugin, source);
    this.agents.onChange((change) => this.follow(change));
  }

  /** Hears the name of each plugin that is loaded from now on, anew or for the first time. Must not throw. */
  onLoad(listener: (plugin: string) => void): void {
    this.loadListeners.add(listener);
  }

  plugins(): readonly LoadedPlugin[] {
    return [...this.loaded.values()];
  }

  failed(): readonly FailedPlugin[] {
    return this.failures;
  }

  /** Parts of loaded plugins that have failed. */
  problems(): readonly ComponentProblem[] {
    return this.components.problems();
  }

  /** The agent that a request without `agentId` is for: one whose character lists the plugin, else the first that runs. */
  defaultAgent(name: string): Agent | undefined {
    const running = this.agents.list().filter(({ status }) => status === 'active');
    return running.find(({ character }) => character.plugins?.includes(name)) ?? running[0];
  }

  /**
   * Reads a plugin's files anew and puts it in the place of the one that came from there; when that fails the old one stays.
   *
   * @throws Error with the reason; it is also in the log, and in the list when there is no old one
   */
  async reload(source: PluginSource): Promise<void> {
    try {
      const plugin = await this.import(source);
      const old = this.loaded.get(plugin.name);
      if (old && old.source.label !== source.label) {
        throw new Error(`a plugin of this name is loaded from ${old.source.label} already`);
      }
      this.requireDependencies(plugin);
      const next = await this.prepare(plugin, source);
      await this.initialise(next);
      this.loaded.set(plugin.name, next);
      if (old) await this.letGo(old);
      await this.components.attach(next);
      await this.forget(source.label, next);
      this.announce(plugin.name);
      this.log.info('plugin reloaded', { plugin: plugin.name });
    } catch (error) {
      this.failures = this.failures.filter((failure) => failure.source !== source.label);
      const old = this.plugins().find((loaded) => loaded.source.label === source.label);
      if (old) this.log.error(`plugin ${old.plugin.name} stays as it was: ${reasonOf(error)}`, undefined, { source: source.label });
      else this.fail(source.label, source.label, reasonOf(error));
      throw error;
    }
  }

  /** Lets go of what came from a source, except `kept`. */
  async forget(label: string, kept?: LoadedPlugin): Promise<void> {
    this.failures = this.failures.filter((failure) => failure.source !== label);
    for (const loaded of this.plugins()) {
      if (loaded !== kept && loaded.source.label === label) await this.unload(loaded.plugin.name);
    }
  }

  /** The plugin whose code an error comes from, as far as its stack tells. */
  blame(error: unknown): string | undefined {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    return this.sources.find(
      ({ entry, folder }) => stack.includes(entry) || (folder !== this.config.pluginsDir && stack.includes(folder + sep)),
    )?.label;
  }

  /** Its routes are gone at once; requests that are being answered get time to end. */
  async unload(name: string): Promise<void> {
    const plugin = this.loaded.get(name);
    if (!plugin) return;
    this.loaded.delete(name);
    await this.letGo(plugin);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.following;
    for (const name of [...this.loaded.keys()].reverse()) await this.unload(name);
  }

  private async tryLoad(plugin: Plugin, source: PluginSource): Promise<void> {
    try {
      this.requireDependencies(plugin);
      const next = await this.prepare(plugin, source);
      await this.initialise(next);
      this.loaded.set(plugin.name, next);
      await this.components.attach(next);
      this.announce(plugin.name);
      this.log.info('plugin loaded', { plugin: plugin.name, version: plugin.version, routes: next.routes.length });
    } catch (error) {
      this.fail(plugin.name, source.label, reasonOf(error));
    }
  }

  private async prepare(plugin: Plugin, source: PluginSource): Promise<LoadedPlugin> {
    const variable = forPlugins((name) => this.config.variable(name));
    const parameters = parametersOf(source.manifest);
    const values = new Map([...pluginConfig(plugin, variable), ...parameterValues(plugin, parameters, variable)]);
    const secrets = secretNames(plugin, parameters);
    keepSecretsIn(Object.fromEntries(values));
    keepSecret(secrets.map((name) => values.get(name) ?? null));
    const routes = mount(plugin.name, routesOf(plugin));
    const others = this.plugins()
      // What came from there before is let go, whatever it was called.
      .filter((other) => other.source.label !== source.label || other.source.folder !== source.folder)
      .flatMap((other) => other.routes);
    for (const [index, candidate] of routes.entries()) {
      const problem = clash(candidate, this.builtIn, [...others, ...routes.slice(0, index)]);
      if (problem !== undefined) throw new Error(problem);
    }
    const roots = new Map<MountedRoute, { root: string; file?: string }>();
    for (const mounted of routes) {
      if (mounted.route.type === 'STATIC') roots.set(mounted, await staticRoot(source.folder, mounted.route.filePath ?? ''));
    }
    const unloading = new AbortController();
    // Each request that is being answered listens; their number is no sign of a leak.
    setMaxListeners(0, unloading.signal);
    const parts: RuntimeParts = {
      plugin: plugin.name,
      values,
      required: [...parameters].flatMap(([name, { required }]) => (required ? [name] : [])),
      secrets,
      // What another plugin declares as its secret is not for everybody, whatever the operator's list says.
      variable: (name) => (this.config.pluginEnv.includes(name) && !this.isSecret(name) ? variable(name) : undefined),
      faults: new PluginFaults(plugin.name),
      registered: new Map(),
      store: this.stores.of(plugin.name),
      agents: this.agents,
      doors: this.doors,
      media: this.media,
      config: this.config,
      extras: this.extras,
      unloading: unloading.signal,
      serverUrl: () => this.config.publicUrl ?? this.serverUrl(),
    };
    return { plugin, source, routes, roots, parts, unloading, inFlight: new Set() };
  }

  private isSecret(name: string): boolean {
    return this.plugins().some(({ parts }) => parts.secrets.includes(name));
  }

  private async initialise(loaded: LoadedPlugin): Promise<void> {
    try {
      for (const agent of this.agents.list().filter(({ status }) => status === 'active')) await this.initialiseFor(loaded, agent);
    } catch (error) {
      // What it began before it failed can end itself by this.
      loaded.unloading.abort();
      throw error;
    }
  }

  private async initialiseFor({ plugin, parts, unloading }: LoadedPlugin, agent: Agent): Promise<void> {
    if (!plugin.init) return;
    const config = Object.fromEntries([...parts.values].flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])));
    const runtime: AgentRuntime = runtimeFor(parts, agent, unloading.signal, 'init');
    await this.within(INIT_LIMIT_MS, 'its init did not end', Promise.resolve(plugin.init(config, runtime)));
  }

  /** An agent that begins to run gets what plugins have for it, one that ends lets go of it; other plugins for it are both. */
  private follow({ before, after }: AgentChange): void {
    const [ran, runs] = [before?.status === 'active', after?.status === 'active'];
    if (ran === runs && (!runs || listed(before) === listed(after))) return;
    this.following = this.following.then(async () => {
      if (before && ran) await this.components.stopServices(before.id);
      if (after && runs) for (const loaded of this.plugins()) await this.welcome(loaded, after);
    });
  }

  private async welcome(loaded: LoadedPlugin, agent: Agent): Promise<void> {
    try {
      await this.initialiseFor(loaded, agent);
      await this.components.startServices(loaded, [agent]);
    } catch (error) {
      this.log.error(`init of plugin ${loaded.plugin.name} failed`, error, { agentId: agent.id });
      loaded.parts.faults.note('init', error);
    }
  }

  private requireDependencies({ dependencies }: Plugin): void {
    const missing = dependencies?.find((name) => !this.loaded.has(name));
    if (missing !== undefined) throw new Error(`it needs plugin ${missing}, which could not be loaded`);
  }

  private import(source: PluginSource): Promise<Plugin> {
    if (!this.sources.some(({ entry }) => entry === source.entry)) this.sources.push(source);
    return this.within(
      IMPORT_LIMIT_MS,
      'its file was not evaluated',
      importPlugin(source, this.config.version, join(this.config.dataDir, 'cache', 'plugins')),
    );
  }

  private async letGo(loaded: LoadedPlugin): Promise<void> {
    const { plugin, unloading, inFlight } = loaded;
    try {
      await this.within(UNLOAD_LIMIT_MS, 'requests did not end', Promise.allSettled([...inFlight]));
    } catch (error) {
      this.log.warn('a plugin is unloaded while it still answers', { plugin: plugin.name, reason: reasonOf(error) });
    }
    await this.components.detach(loaded);
    unloading.abort();
    try {
      await this.within(UNLOAD_LIMIT_MS, 'its dispose did not end', Promise.resolve(plugin.dispose?.()));
    } catch (error) {
      this.log.warn('a plugin could not be disposed of', { plugin: plugin.name, reason: reasonOf(error) });
    }
  }

  private async within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
    let cancel = (): void => undefined;
    const limit = new Promise<never>((_, reject) => {
      cancel = this.clock.after(ms, () => reject(new Error(`${what} within ${ms} ms`)));
    });
    try {
      return await Promise.race([work, limit]);
    } finally {
      cancel();
    }
  }

  private announce(plugin: string): void {
    for (const listener of this.loadListeners) listener(plugin);
  }

  private fail(name: string, source: string, reason: string): void {
    this.failures.push({ name, source, reason });
    this.log.error(`plugin ${name} is not loaded: ${reason}`, undefined, { plugin: name, source });
  }
}

/** The plugins that an agent's character lists, in one order. */
function listed(agent: Agent | undefined): string {
  return JSON.stringify([...(agent?.character.plugins ?? [])].sort());
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
