import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../core/config/index.js';
import { errorMessage } from '../../core/errors/index.js';
import type { ConfigField, Plugin, Route } from '../../plugin-sdk/index.js';
import { withoutServerVariables, readParameters, parameterValues, pluginConfig } from './plugin-config.js';
import { importPlugin } from './plugin-loader.js';
import { routesOf, unreadPaths } from './plugin-schema.js';
import { describeComponents } from './plugin-description.js';
import { findSources, resolveSource, type PluginSource } from './plugin-source.js';
import { findConflict, mountRoutes, type BuiltInRoute, type MountedRoute } from './route-table.js';
import { findUnknownMembers } from './unknown-members.js';
import { unsupportedReason, findUnsupportedMembers } from './unsupported-members.js';
import { resolveStaticRoot } from './static-files.js';

/** A route, a component, a handler of an event or a setting of a plugin. */
interface PluginPart {
  /** Type of a route, or kind of another part. */
  readonly kind: string;
  readonly name: string;
  readonly notes: readonly string[];
}

/** A plugin that passed the check. */
interface CheckedPlugin {
  readonly plugin: Plugin;
  readonly parts: readonly PluginPart[];
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
  return { plugin, parts: partsOf(plugin, mounted), warnings: warningsOf(plugin, source, variable) };
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

function partsOf(plugin: Plugin, mounted: readonly MountedRoute[]): PluginPart[] {
  const { events = {}, config = {} } = plugin;
  return [
    ...mounted.map(({ route, path }) => ({ kind: route.type, name: path, notes: notesOf(route) })),
    ...describeComponents(plugin).map(({ kind, name }) => ({ kind, name, notes: [] })),
    ...Object.entries(events).map(([name, { length }]) => ({ kind: 'event', name, notes: length === 1 ? [] : [`${length} handlers`] })),
    ...Object.entries(config).map(([name, declared]) => {
      const { required, secret }: ConfigField = typeof declared === 'object' && declared !== null ? declared : {};
      return { kind: 'setting', name, notes: [...(required ? ['required'] : []), ...(secret ? ['secret'] : [])] };
    }),
  ];
}

function notesOf({ webhook, public: open, isMultipart }: Route): string[] {
  const verify = typeof webhook?.verify === 'function' ? 'its own verification' : webhook?.verify;
  return [
    ...(webhook ? ['webhook', `verified: ${verify}`, webhook.mode ?? 'inline'] : []),
    ...(open ? ['public'] : []),
    ...(isMultipart ? ['uploads'] : []),
  ];
}

function warningsOf(plugin: Plugin, source: PluginSource, variable: (name: string) => string | undefined): string[] {
  const parameters = readParameters(source.manifest);
  const values = parameterValues(plugin, parameters, variable);
  const code = readFileSync(source.entry, 'utf8');
  const needed = [...parameters].filter(
    ([name, { required }]) => required && !values.has(name) && !Object.hasOwn(plugin.config ?? {}, name),
  );
  return [
    ...needed.map(([name]) => `setting ${name} has no value here: set the environment variable, or a secret of the agents`),
    ...unreadPaths(plugin).map((path) => `Parley does not read ${path}`),
    ...(plugin.dependencies ?? []).map((dependency) => `it depends on plugin ${dependency}, which must be loaded too`),
    // The members that a plugin uses are known only at run time; its entry file shows most of them.
    ...findUnsupportedMembers(code).map((member) => `according to its source, ${unsupportedReason(member) ?? ''}`),
    ...findUnknownMembers(code).map((reason) => `according to its source, ${reason}`),
  ];
}

/** Built-in routes from the OpenAPI document, because the check does not start the server. */
function builtInRoutes(): BuiltInRoute[] {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{(\w+)\}/g, ':$1') })),
  );
}
