import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../core/config/index.js';
import type { Plugin } from '../../plugin-sdk/index.js';
import { importPlugin } from './plugin-loader.js';
import { routesOf } from './plugin-shape.js';
import { sourceNamed } from './plugin-source.js';
import { clash, mount } from './route-table.js';
import { staticRoot } from './static-files.js';

/** A plugin that could be loaded. */
interface CheckedPlugin {
  readonly plugin: Plugin;
  readonly routes: readonly { readonly type: string; readonly path: string }[];
}

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
  const mounted = mount(plugin.name, routesOf(plugin));
  for (const [index, candidate] of mounted.entries()) {
    const problem = clash(candidate, [], mounted.slice(0, index));
    if (problem !== undefined) throw new Error(problem);
    if (candidate.route.type === 'STATIC') await staticRoot(source.folder, candidate.route.filePath ?? '');
  }
  return { plugin, routes: mounted.map(({ route: { type }, path }) => ({ type, path })) };
}
