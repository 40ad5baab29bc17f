import { satisfies } from 'semver';
import type { Plugin } from '../../plugin-sdk/index.js';
import { pluginJiti } from './plugin-jiti.js';
import { pluginIn } from './plugin-shape.js';
import { sdkFiles, type PluginSource } from './plugin-source.js';

/**
 * Imports a plugin: JavaScript of both kinds and TypeScript alike, without a build step. Each call reads the files anew, so a
 * changed plugin is seen; what an earlier load left in memory stays there until the process ends.
 *
 * @param cacheDir folder in which compiled files are kept, by content, for the next start; nowhere when left out
 * @throws Error with what is wrong, for the plugin's author
 */
export async function importPlugin(source: PluginSource, version: string, cacheDir?: string): Promise<Plugin> {
  const jiti = pluginJiti(source.entry, source.folder, {
    moduleCache: false,
    fsCache: cacheDir ?? false,
    interopDefault: false,
    alias: sdkFiles(),
  });
  const exports = await jiti.import<Record<string, unknown>>(source.entry);
  const plugin = pluginIn(exports);
  if (plugin.compatibility !== undefined && !satisfies(version, plugin.compatibility, { includePrerelease: true })) {
    throw new Error(`it works with Parley ${plugin.compatibility}, and this is ${version}`);
  }
  return plugin;
}

/**
 * Plugins in the order in which they are loaded: those that others depend on first, then by priority, then by name.
 *
 * @returns the order, and a reason for each plugin that cannot be loaded
 */
export function loadOrder<T extends { readonly plugin: Plugin }>(candidates: readonly T[]): { order: T[]; refused: Map<T, string> } {
  const byName = new Map(candidates.map((candidate) => [candidate.plugin.name, candidate]));
  const refused = new Map<T, string>();
  const order: T[] = [];
  const visit = (candidate: T, chain: readonly string[]): boolean => {
    const { name, dependencies = [] } = candidate.plugin;
    if (order.includes(candidate)) return true;
    if (refused.has(candidate)) return false;
    if (chain.includes(name)) {
      refused.set(candidate, `its dependencies form a circle: ${[...chain.slice(chain.indexOf(name)), name].join(' -> ')}`);
      return false;
    }
    for (const dependency of dependencies) {
      const needed = byName.get(dependency);
      if (!needed) refused.set(candidate, `it needs plugin ${dependency}, which is not there`);
      else if (!visit(needed, [...chain, name])) {
        refused.set(candidate, refused.get(candidate) ?? `it needs plugin ${dependency}, which could not be loaded`);
      }
      if (refused.has(candidate)) return false;
    }
    order.push(candidate);
    return true;
  };
  const sorted = [...candidates].sort(
    (a, b) => (b.plugin.priority ?? 0) - (a.plugin.priority ?? 0) || a.plugin.name.localeCompare(b.plugin.name),
  );
  for (const candidate of sorted) visit(candidate, []);
  return { order, refused };
}
