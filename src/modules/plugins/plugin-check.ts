import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../core/config/index.js';
import { errorMessage } from '../../core/errors/index.js';
import type { Plugin } from '../../plugin-sdk/index.js';
import { withoutServerVariables, readParameters, parameterValues, pluginConfig } from './plugin-config.js';
import { importPlugin } from './plugin-loader.js';
import { routesOf } from './plugin-schema.js';
import { findSources, resolveSource, type PluginSource } from './plugin-source.js';
import { findConflict, mountRoutes, type BuiltInRoute } from './route-table.js';
import { unsupportedReason, findUnsupportedMembers } from './unsupported-members.js';
import { resolveStaticRoot } from './static-files.js';

/** A plugin that passed the check. */
interface CheckedPlugin {
  readonly plugin: Plugin;
  readonly routes: readonly { readonly type: string; readonly path: string }[];
  /** Problems that do not prevent loading but stop a part of the plugin from working. */
  readonly warnings: readonly string[];
}

const DOCUMENT = new URL('../../../docs/reference/openapi.json', import.meta.url);

/**
 * Loads a plugin as the server would, without `init` and without checks that depend on other plugins.
 *
 * @param name path or name of an installed package
 * @throws Error that explains the problem to the plugin's author
 */
export async function checkPlugin(name: string, config: Config): Promise<CheckedPlugin> {
  // In PLUGINS a bare name is a package; on the command line an existing path is a file.
  const source = resolveSource(existsSync(name) ? resolve(name) : name, config.pluginsDir);
  if ('reason' in source) throw new Error(source.reason);
  const plugin = await importPlugin(source, config.version);
  const variable = withoutServerVariables((key) => config.variable(key));
  pluginConfig(plugin, variable);
  const mounted = mountRoutes(plugin.name, routesOf(plugin));
  const builtIn = builtInRoutes();
  for (const [index, candidate] of mounted.entries()) {
    const problem = findConflict(candidate, builtIn, mounted.slice(0, index));
    if (problem !== undefined) throw new Error(problem);
    if (candidate.route.type === 'STATIC') await resolveStaticRoot(source.folder, candidate.route.filePath ?? '');
  }
  const routes = mounted.map(({ route: { type }, path }) => ({ type, path }));
  return { plugin, routes, warnings: warningsOf(plugin, source, variable) };
}

/** Loads every configured plugin as `checkPlugin` does. */
export async function checkPlugins(config: Config): Promise<{ name: string; fault?: string; warnings: readonly string[] }[]> {
  const found = await findSources(config.pluginsDir);
  const names = [...found.map(({ label }) => join(config.pluginsDir, label)), ...config.plugins];
  const checked = [];
  for (const name of names) {
    try {
      checked.push({ name, warnings: (await checkPlugin(name, config)).warnings });
    } catch (error) {
      checked.push({ name, fault: errorMessage(error), warnings: [] });
    }
  }
  return checked;
}

function warningsOf(plugin: Plugin, source: PluginSource, variable: (name: string) => string | undefined): string[] {
  const parameters = readParameters(source.manifest);
  const values = parameterValues(plugin, parameters, variable);
  const needed = [...parameters].filter(
    ([name, { required }]) => required && !values.has(name) && !Object.hasOwn(plugin.config ?? {}, name),
  );
  return [
    ...needed.map(([name]) => `setting ${name} has no value here: set the environment variable, or a secret of the agents`),
    ...(plugin.dependencies ?? []).map((dependency) => `it depends on plugin ${dependency}, which must be loaded too`),
    // The members that a plugin uses are known only at run time; its entry file shows most of them.
    ...findUnsupportedMembers(readFileSync(source.entry, 'utf8')).map(
      (member) => `according to its source, ${unsupportedReason(member) ?? ''}`,
    ),
  ];
}

/** Built-in routes from the OpenAPI document, because the check does not start the server. */
function builtInRoutes(): BuiltInRoute[] {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{(\w+)\}/g, ':$1') })),
  );
}
