import { satisfies } from 'semver';
import { errorMessage } from '../../core/errors/index.js';
import type { Plugin } from '../../plugin-sdk/index.js';
import { pluginJiti } from './plugin-jiti.js';
import { parseSpecifier } from './plugin-package.js';
import { extractPlugin } from './plugin-schema.js';
import { sdkAliases, type PluginSource } from './plugin-source.js';

/**
 * Imports a plugin in JavaScript (ES or CommonJS modules) or TypeScript, without a build step. Each call reads the files again; modules of
 * earlier loads stay in memory until the process ends.
 *
 * @param cacheDir folder that caches compiled files by content; no cache when omitted
 * @throws Error that explains the problem to the plugin's author
 */
export async function importPlugin(source: PluginSource, version: string, cacheDir?: string): Promise<Plugin> {
  const jiti = pluginJiti(source.entry, source.folder, {
    moduleCache: false,
    fsCache: cacheDir ?? false,
    interopDefault: false,
    alias: sdkAliases(),
  });
  let exports: Record<string, unknown>;
  try {
    exports = await jiti.import<Record<string, unknown>>(source.entry);
  } catch (error) {
    throw new Error(describeImportError(error), { cause: error });
  }
  const plugin = extractPlugin(exports);
  if (plugin.compatibility !== undefined && !satisfies(version, plugin.compatibility, { includePrerelease: true })) {
    throw new Error(`it requires Parley ${plugin.compatibility}; this is ${version}`);
  }
  return plugin;
}

/** Explains an import error, with a hint where the error has none. */
function describeImportError(error: unknown): string {
  const text = errorMessage(error);
  if (/\bbun:|\bBun is not defined\b|'bun'/.test(text)) return `it requires Bun; Parley runs on Node.js (${firstLine(text)})`;
  const wanted = /Cannot find (?:package|module) '([^']+)'/.exec(text)?.[1];
  const missing = wanted === undefined ? undefined : parseSpecifier(wanted);
  if (!missing) return text;
  const { name, subpath } = missing;
  return `it requires the package ${subpath === '.' ? name : wanted}, which is not installed: run npm install ${name} in its folder (${firstLine(text)})`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

/**
 * Sorts plugins for loading: dependencies first, then by priority, then by name.
 *
 * @returns the load order, and a reason for each plugin that cannot be loaded
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
      refused.set(candidate, `its dependencies form a cycle: ${[...chain.slice(chain.indexOf(name)), name].join(' -> ')}`);
      return false;
    }
    for (const dependency of dependencies) {
      const needed = byName.get(dependency);
      if (!needed) refused.set(candidate, `it depends on plugin ${dependency}, which is not installed`);
      else if (!visit(needed, [...chain, name])) {
        refused.set(candidate, refused.get(candidate) ?? `it depends on plugin ${dependency}, which could not be loaded`);
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
