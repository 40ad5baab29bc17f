import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../core/config/index.js';
import type { Plugin } from '../../plugin-sdk/index.js';
import { forPlugins, parametersOf, parameterValues, pluginConfig } from './plugin-config.js';
import { importPlugin } from './plugin-loader.js';
import { routesOf } from './plugin-shape.js';
import { sourceNamed, type PluginSource } from './plugin-source.js';
import { clash, mount, type BuiltInRoute } from './route-table.js';
import { refusal, refusedIn } from './runtime-members.js';
import { staticRoot } from './static-files.js';

/** A plugin that could be loaded. */
interface CheckedPlugin {
  readonly plugin: Plugin;
  readonly routes: readonly { readonly type: string; readonly path: string }[];
  /** What would not keep it from being loaded, and a part of it from working. */
  readonly warnings: readonly string[];
}

const DOCUMENT = new URL('../../../docs/reference/openapi.json', import.meta.url);

/**
 * Does to a plugin what a start does to it, short of `init` and of what depends on the other plugins.
 *
 * @param name path, or name of an installed package
 * @throws Error with what is wrong, for the plugin's author
 */
export async function checkPlugin(name: string, config: Config): Promise<CheckedPlugin> {
  // In PLUGINS a bare name is a package; whoever types a path here means the file.
  const source = sourceNamed(existsSync(name) ? resolve(name) : name, config.pluginsDir);
  if ('reason' in source) throw new Error(source.reason);
  const plugin = await importPlugin(source, config.version);
  const variable = forPlugins((key) => config.variable(key));
  pluginConfig(plugin, variable);
  const mounted = mount(plugin.name, routesOf(plugin));
  const builtIn = builtInRoutes();
  for (const [index, candidate] of mounted.entries()) {
    const problem = clash(candidate, builtIn, mounted.slice(0, index));
    if (problem !== undefined) throw new Error(problem);
    if (candidate.route.type === 'STATIC') await staticRoot(source.folder, candidate.route.filePath ?? '');
  }
  const routes = mounted.map(({ route: { type }, path }) => ({ type, path }));
  return { plugin, routes, warnings: warningsOf(plugin, source, variable) };
}

function warningsOf(plugin: Plugin, source: PluginSource, variable: (name: string) => string | undefined): string[] {
  const parameters = parametersOf(source.manifest);
  const values = parameterValues(plugin, parameters, variable);
  const needed = [...parameters].filter(
    ([name, { required }]) => required && !values.has(name) && !Object.hasOwn(plugin.config ?? {}, name),
  );
  return [
    ...needed.map(([name]) => `setting ${name} has no value here: set the environment variable, or a secret of the agents`),
    ...(plugin.dependencies ?? []).map((dependency) => `it needs plugin ${dependency}, which has to be loaded too`),
    // What a plugin uses shows when it runs; its own file tells the most of it.
    ...refusedIn(readFileSync(source.entry, 'utf8')).map((member) => `as far as its source tells, ${refusal(member) ?? ''}`),
  ];
}

/** The server's own, out of its document: to have them from the server, it would have to be started. */
function builtInRoutes(): BuiltInRoute[] {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{(\w+)\}/g, ':$1') })),
  );
}
