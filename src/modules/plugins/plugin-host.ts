import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, withTimeout } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { errorMessage } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import type { Plugin } from '../../plugin-sdk/index.js';
import type { Agent } from '../agents/index.js';
import type { FailedPlugin, LoadedPlugin } from './loaded-plugin.js';
import { PluginInitializer } from './plugin-initializer.js';
import { PluginAssembler, type PluginHostContext } from './plugin-assembler.js';
import { PluginComponents } from './plugin-components.js';
import type { ComponentProblem } from './plugin-problems.js';
import { PluginImporter } from './plugin-importer.js';
import { loadOrder } from './plugin-loader.js';
import { resolveSource, findSources, type MissingSource, type PluginSource } from './plugin-source.js';
import type { BuiltInRoute } from './route-table.js';

type Imported = { readonly plugin: Plugin; readonly source: PluginSource };

const UNLOAD_LIMIT_MS = 10_000;
/** A part of the problems of a plugin whose changed files could not be loaded. A version that is loaded has problems of its own. */
const NEW_VERSION = 'new version';

/** Loads, reloads and unloads plugins. A plugin that fails is reported with its reason; the others keep running. */
@Injectable()
export class PluginHost implements OnApplicationShutdown {
  private readonly loaded = new Map<string, LoadedPlugin>();
  private failures: FailedPlugin[] = [];
  private readonly loadListeners = new Set<(plugin: string) => void>();
  private hostContext: PluginHostContext = { builtIn: [], serverUrl: () => '', plugins: () => this.plugins() };
  private readonly log = new Log('plugins');

  constructor(
    private readonly importer: PluginImporter,
    private readonly assembler: PluginAssembler,
    private readonly initializer: PluginInitializer,
    private readonly components: PluginComponents,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Loads all configured plugins. Never rejects.
   *
   * @param serverUrl URL of this server; empty before it listens
   */
  async start(builtIn: readonly BuiltInRoute[], serverUrl: () => string): Promise<void> {
    this.hostContext = { ...this.hostContext, builtIn, serverUrl };
    const found = [
      ...(await findSources(this.config.pluginsDir)),
      ...this.config.plugins.map((name) => resolveSource(name, this.config.pluginsDir)),
    ];
    for (const source of found) if ('reason' in source) this.fail(source.label, source.label, source.reason);
    const sources = found.filter((source): source is PluginSource => 'entry' in source);
    const imported: Imported[] = [];
    for (const source of sources) {
      try {
        const plugin = await this.importer.import(source);
        const duplicate = imported.find((other) => other.plugin.name === plugin.name);
        if (duplicate) this.fail(plugin.name, source.label, `a plugin with this name is already loaded from ${duplicate.source.label}`);
        else imported.push({ plugin, source });
      } catch (error) {
        this.fail(source.label, source.label, errorMessage(error));
      }
    }
    const { order, refused } = loadOrder(imported);
    for (const [{ plugin, source }, reason] of refused) this.fail(plugin.name, source.label, reason);
    for (const { plugin, source } of order) await this.tryLoad(plugin, source);
    this.initializer.followChanges(() => this.plugins());
  }

  /** Built-in routes of the server. */
  get builtIn(): readonly BuiltInRoute[] {
    return this.hostContext.builtIn;
  }

  /** Calls the listener with the name of each plugin that is loaded or reloaded. The listener must not throw. */
  onLoad(listener: (plugin: string) => void): void {
    this.loadListeners.add(listener);
  }

  plugins(): readonly LoadedPlugin[] {
    return [...this.loaded.values()];
  }

  failed(): readonly FailedPlugin[] {
    return this.failures;
  }

  /** Problems of loaded plugins. */
  problems(): readonly ComponentProblem[] {
    return this.components.problems();
  }

  /** The agent for a request without `agentId`: one whose character lists the plugin, else the first running agent. */
  defaultAgent(name: string): Agent | undefined {
    return this.initializer.defaultAgent(name);
  }

  /**
   * Reloads a plugin from its files. When that fails, the previous version stays loaded.
   *
   * @throws Error with the reason, which is also logged, and listed in `problems`, or in `failed` when no previous version exists
   */
  async reload(source: PluginSource | MissingSource): Promise<void> {
    try {
      if ('reason' in source) throw new Error(source.reason);
      const plugin = await this.importer.import(source);
      const old = this.loaded.get(plugin.name);
      if (old && old.source.label !== source.label) {
        throw new Error(`a plugin with this name is already loaded from ${old.source.label}`);
      }
      this.requireDependencies(plugin);
      const next = await this.assembler.assemble(plugin, source, this.hostContext);
      await this.initializer.initialise(next);
      this.loaded.set(plugin.name, next);
      if (old) await this.dispose(old);
      await this.components.attach(next);
      await this.unloadSource(source.label, next);
      this.notifyLoaded(plugin.name);
      this.log.info('plugin reloaded', { plugin: plugin.name });
    } catch (error) {
      this.failures = this.failures.filter((failure) => failure.source !== source.label);
      const old = this.plugins().find((loaded) => loaded.source.label === source.label);
      if (old) {
        old.context.problems.record(NEW_VERSION, error);
        this.log.error(`plugin ${old.plugin.name} stays as it was: ${errorMessage(error)}`, undefined, { source: source.label });
      } else this.fail(source.label, source.label, errorMessage(error));
      throw error;
    }
  }

  /** Unloads the plugins of a source, except `kept`. */
  async unloadSource(label: string, kept?: LoadedPlugin): Promise<void> {
    this.failures = this.failures.filter((failure) => failure.source !== label);
    for (const loaded of this.plugins()) {
      if (loaded !== kept && loaded.source.label === label) await this.unload(loaded.plugin.name);
    }
  }

  /** Label of the plugin that an error's stack points to. */
  sourceOf(error: unknown): string | undefined {
    return this.importer.sourceOf(error);
  }

  /** Removes a plugin's routes immediately and waits for requests in progress. */
  async unload(name: string): Promise<void> {
    const plugin = this.loaded.get(name);
    if (!plugin) return;
    this.loaded.delete(name);
    await this.dispose(plugin);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.initializer.whenIdle();
    for (const name of [...this.loaded.keys()].reverse()) await this.unload(name);
  }

  private async tryLoad(plugin: Plugin, source: PluginSource): Promise<void> {
    try {
      this.requireDependencies(plugin);
      const next = await this.assembler.assemble(plugin, source, this.hostContext);
      await this.initializer.initialise(next);
      this.loaded.set(plugin.name, next);
      await this.components.attach(next);
      this.notifyLoaded(plugin.name);
      this.log.info('plugin loaded', { plugin: plugin.name, version: plugin.version, routes: next.routes.length });
    } catch (error) {
      this.fail(plugin.name, source.label, errorMessage(error));
    }
  }

  private requireDependencies({ dependencies }: Plugin): void {
    const missing = dependencies?.find((name) => !this.loaded.has(name));
    if (missing !== undefined) throw new Error(`it depends on plugin ${missing}, which could not be loaded`);
  }

  private async dispose(loaded: LoadedPlugin): Promise<void> {
    const { plugin, unloading, inFlight } = loaded;
    try {
      await withTimeout(this.clock, UNLOAD_LIMIT_MS, () => Promise.allSettled([...inFlight]), {
        message: 'requests in progress did not end',
      });
    } catch (error) {
      this.log.warn('plugin unloaded with requests in progress', { plugin: plugin.name, reason: errorMessage(error) });
    }
    await this.components.detach(loaded);
    unloading.abort();
    try {
      await withTimeout(this.clock, UNLOAD_LIMIT_MS, () => plugin.dispose?.(), { message: 'its dispose did not end' });
    } catch (error) {
      this.log.warn('disposing of a plugin failed', { plugin: plugin.name, reason: errorMessage(error) });
    }
  }

  private notifyLoaded(plugin: string): void {
    for (const listener of this.loadListeners) listener(plugin);
  }

  private fail(name: string, source: string, reason: string): void {
    this.failures.push({ name, source, reason });
    this.log.error(`plugin ${name} is not loaded: ${reason}`, undefined, { plugin: name, source });
  }
}
