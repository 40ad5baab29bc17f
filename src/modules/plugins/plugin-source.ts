import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryOf, hasIndexFile, installedFolder, manifestIn, packageName, type Manifest } from './plugin-package.js';

/** Where a plugin comes from. */
export interface PluginSource {
  /** File that is imported. */
  readonly entry: string;
  /** Folder that the plugin's files belong to; STATIC routes serve nothing outside it. */
  readonly folder: string;
  /** As it is named in the log and in `GET /api/plugins`. */
  readonly label: string;
  /** Its package.json, when it is a package. */
  readonly manifest?: Manifest;
}

/** A source that was asked for and is not there. */
export interface MissingSource {
  readonly label: string;
  readonly reason: string;
}

const CODE = /\.(js|mjs|cjs|ts|mts)$/;
const NO_PLUGIN = /(\.d|\.(spec|test))\.m?[jt]s$/;

/** The plugins below a folder: each file, and each folder with a package.json or an index file. A missing folder has none. */
export async function sourcesIn(folder: string): Promise<(PluginSource | MissingSource)[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter(({ name }) => !name.startsWith('.') && !name.startsWith('_') && name !== 'node_modules')
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry): (PluginSource | MissingSource)[] => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return [folderSource(path, entry.name) ?? []].flat();
      return entry.isFile() && CODE.test(entry.name) && !NO_PLUGIN.test(entry.name) ? [{ entry: path, folder, label: entry.name }] : [];
    });
}

/**
 * A plugin that is named one by one: a path relative to the working folder, or a package, which is found as `import` finds it.
 *
 * @param pluginsDir where packages are looked for besides the working folder and the one in which Parley is installed
 */
export function sourceNamed(name: string, pluginsDir: string): PluginSource | MissingSource {
  if (name.startsWith('.') || isAbsolute(name)) {
    const path = resolve(name);
    if (!existsSync(path)) return { label: name, reason: `there is no file or folder ${path}` };
    if (CODE.test(path)) return { entry: path, folder: dirname(path), label: name };
    return folderSource(path, name) ?? { label: name, reason: `the folder ${path} has neither a package.json nor an index file` };
  }
  const wanted = packageName(name);
  const own = fileURLToPath(new URL('.', import.meta.url));
  const folder = wanted && installedFolder(wanted.name, [process.cwd(), pluginsDir, own]);
  return folder === undefined
    ? { label: name, reason: 'no package of this name is installed (what begins with ./ or / is a path)' }
    : packageSource(folder, name, wanted?.subpath);
}

/** The SDK's own files by the names under which plugins anywhere on disk import them. */
export function sdkFiles(): Record<string, string> {
  const file = (name: string): string => {
    const path = fileURLToPath(new URL(`../../plugin-sdk/${name}`, import.meta.url));
    return existsSync(`${path}.js`) ? `${path}.js` : `${path}.ts`;
  };
  return { 'parley/plugin-sdk/testing': file('testing'), 'parley/plugin-sdk': file('index') };
}

function folderSource(folder: string, label: string): PluginSource | MissingSource | undefined {
  const isPackage = existsSync(join(folder, 'package.json'));
  return isPackage || hasIndexFile(folder) ? packageSource(folder, label) : undefined;
}

function packageSource(folder: string, label: string, subpath?: string): PluginSource | MissingSource {
  try {
    const manifest = manifestIn(folder) ?? {};
    return { entry: entryOf(folder, manifest, subpath), folder, label, manifest };
  } catch (error) {
    return { label, reason: (error as Error).message };
  }
}
