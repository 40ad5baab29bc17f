import { satisfies } from 'semver';
import type { Plugin } from '../../plugin-sdk/index.js';
import { pluginJiti } from './plugin-jiti.js';
import { packageName } from './plugin-package.js';
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
  let exports: Record<string, unknown>;
  try {
    exports = await jiti.import<Record<string, unknown>>(source.entry);
  } catch (error) {
    throw new Error(importFault(error), { cause: error });
  }
  const plugin = pluginIn(exports);
  if (plugin.compatibility !== undefined && !satisfies(version, plugin.compatibility, { includePrerelease: true })) {
    throw new Error(`it works with Parley ${plugin.compatibility}, and this is ${version}`);
  }
  return plugin;
}

/** Why a file could not be imported, with the way out where the error has none. */
function importFault(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/\bbun:|\bBun is not defined\b|'bun'/.test(text)) return `it needs Bun, and Parley runs on Node (${firstLine(text)})`;
  const wanted = /Cannot find (?:package|module) '([^']+)'/.exec(text)?.[1];
  const missing = wanted === undefined ? undefined : packageName(wanted);
  if (!missing) return text;
  const { name, subpath } = missing;
  return `it needs the package ${subpath === '.' ? name : wanted}, which is not installed: npm install ${name} beside it (${firstLine(text)})`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
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
