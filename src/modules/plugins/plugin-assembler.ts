import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { redactSecrets, secretsIn } from '../../core/logging/index.js';
import type { Plugin } from '../../plugin-sdk/index.js';
import { AgentsService } from '../agents/index.js';
import { MediaService } from '../media/index.js';
import { ChannelMessagesService } from '../messaging/index.js';
import type { LoadedPlugin } from './loaded-plugin.js';
import { withoutServerVariables, readParameters, parameterValues, pluginConfig, pluginSecretNames } from './plugin-config.js';
import { PluginProblems } from './plugin-problems.js';
import type { RuntimeContext } from './plugin-runtime.js';
import { routesOf } from './plugin-schema.js';
import type { PluginSource } from './plugin-source.js';
import { PluginStores } from './plugin-stores.js';
import { findConflict, mountRoutes, type BuiltInRoute, type MountedRoute } from './route-table.js';
import { RuntimeFeatureFactory } from './runtime-features.js';
import { resolveStaticRoot } from './static-files.js';

/** The server as plugins see it. */
export interface PluginHostContext {
  /** Built-in routes of the server. */
  readonly builtIn: readonly BuiltInRoute[];
  /** URL of the server; empty before it listens. */
  readonly serverUrl: () => string;
  /** The currently loaded plugins. */
  readonly plugins: () => readonly LoadedPlugin[];
}

/** Prepares an imported plugin for the server: its routes, its settings, and the context of its runtime. */
@Injectable()
export class PluginAssembler {
  constructor(
    private readonly agents: AgentsService,
    private readonly channelMessages: ChannelMessagesService,
    private readonly media: MediaService,
    private readonly stores: PluginStores,
    private readonly features: RuntimeFeatureFactory,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws Error for a route that conflicts with another, or a STATIC route whose files are missing */
  async assemble(plugin: Plugin, source: PluginSource, { builtIn, serverUrl, plugins }: PluginHostContext): Promise<LoadedPlugin> {
    const variable = withoutServerVariables((name) => this.config.variable(name));
    const parameters = readParameters(source.manifest);
    const values = new Map([...pluginConfig(plugin, variable), ...parameterValues(plugin, parameters, variable)]);
    const secrets = pluginSecretNames(plugin, parameters);
    redactSecrets(secretsIn(Object.fromEntries(values)));
    redactSecrets(secrets.map((name) => values.get(name) ?? null));
    const routes = mountRoutes(plugin.name, routesOf(plugin));
    const others = plugins()
      // A plugin from the same source is replaced, whatever its name.
      .filter((other) => other.source.label !== source.label || other.source.folder !== source.folder)
      .flatMap((other) => other.routes);
    for (const [index, candidate] of routes.entries()) {
      const problem = findConflict(candidate, builtIn, [...others, ...routes.slice(0, index)]);
      if (problem !== undefined) throw new Error(problem);
    }
    const roots = new Map<MountedRoute, { root: string; file?: string }>();
    for (const mounted of routes) {
      if (mounted.route.type === 'STATIC') roots.set(mounted, await resolveStaticRoot(source.folder, mounted.route.filePath ?? ''));
    }
    const isSecret = (name: string): boolean => plugins().some(({ context: other }) => other.secrets.includes(name));
    const unloading = new AbortController();
    // Every request in progress adds a listener; a large number is not a leak.
    setMaxListeners(0, unloading.signal);
    const context: RuntimeContext = {
      plugin: plugin.name,
      values,
      required: [...parameters].flatMap(([name, { required }]) => (required ? [name] : [])),
      secrets,
      // PLUGIN_ENV never exposes a variable that another plugin declares as its secret.
      variable: (name) => (this.config.pluginEnv.includes(name) && !isSecret(name) ? variable(name) : undefined),
      problems: new PluginProblems(plugin.name),
      registered: new Map(),
      store: this.stores.of(plugin.name),
      agents: this.agents,
      channelMessages: this.channelMessages,
      media: this.media,
      config: this.config,
      features: this.features,
      unloading: unloading.signal,
      serverUrl: () => this.config.publicUrl ?? serverUrl(),
    };
    return { plugin, source, routes, roots, context, unloading, inFlight: new Set() };
  }
}
