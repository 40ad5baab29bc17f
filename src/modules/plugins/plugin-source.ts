import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveEntry, hasIndexFile, findPackageFolder, readManifest, parseSpecifier, type Manifest } from './plugin-package.js';

/** The files of a plugin. */
export interface PluginSource {
  /** Entry file. */
  readonly entry: string;
  /** Folder that the plugin's files belong to; STATIC routes serve nothing outside it. */
  readonly folder: string;
  /** Name in the log and in `GET /api/plugins`. */
  readonly label: string;
  /** The package.json; absent when the plugin is not a package. */
  readonly manifest?: Manifest;
}

/** A configured plugin that was not found. */
export interface MissingSource {
  readonly label: string;
  readonly reason: string;
}

const CODE_FILE = /\.(js|mjs|cjs|ts|mts)$/;
const NOT_A_PLUGIN = /(\.d|\.(spec|test))\.m?[jt]s$/;

/**
 * Finds the plugins in a folder: each file, each folder with a package.json or an index file, and each link to one. A missing folder has
 * none.
 */
export async function findSources(folder: string): Promise<(PluginSource | MissingSource)[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder))
    .filter((name) => !name.startsWith('.') && !name.startsWith('_') && name !== 'node_modules')
    .sort((a, b) => a.localeCompare(b));
  const found = await Promise.all(names.map((name) => sourceAt(folder, name)));
  return found.flatMap((source) => source ?? []);
}

async function sourceAt(folder: string, name: string): Promise<PluginSource | MissingSource | undefined> {
  // Stack traces have the real path. A file may have been deleted since, and a link may lead nowhere.
  const path = await realpath(join(folder, name)).catch(() => undefined);
  const stats = path !== undefined && (await stat(path).catch(() => undefined));
  if (!path || !stats) return undefined;
  if (stats.isDirectory()) return folderSource(path, name);
  return stats.isFile() && CODE_FILE.test(name) && !NOT_A_PLUGIN.test(name) ? { entry: path, folder, label: name } : undefined;
}

/**
 * Resolves a plugin by name: a path relative to the working folder, or a package, which is resolved as by `import`.
 *
 * @param pluginsDir folder to search for packages, in addition to the working folder and Parley's own
 */
export function resolveSource(name: string, pluginsDir: string): PluginSource | MissingSource {
  if (name.startsWith('.') || isAbsolute(name)) {
    const path = resolve(name);
    if (!existsSync(path)) return { label: name, reason: `file or folder ${path} not found` };
    if (CODE_FILE.test(path)) return { entry: path, folder: dirname(path), label: name };
    return folderSource(path, name) ?? { label: name, reason: `the folder ${path} has no package.json and no index file` };
  }
  const wanted = parseSpecifier(name);
  const own = fileURLToPath(new URL('.', import.meta.url));
  const folder = wanted && findPackageFolder(wanted.name, [process.cwd(), pluginsDir, own]);
  return folder === undefined
    ? { label: name, reason: 'no package with this name is installed (a path must begin with ./ or /)' }
    : packageSource(folder, name, wanted?.subpath);
}

/** Aliases that resolve the SDK's module names to its files, for plugins anywhere on disk. */
export function sdkAliases(): Record<string, string> {
  const file = (name: string): string => {
    const path = fileURLToPath(new URL(`../../plugin-sdk/${name}`, import.meta.url));
    return existsSync(`${path}.js`) ? `${path}.js` : `${path}.ts`;
  };
  return { 'parley-server/plugin-sdk/testing': file('testing'), 'parley-server/plugin-sdk': file('index') };
}

function folderSource(folder: string, label: string): PluginSource | MissingSource | undefined {
  const isPackage = existsSync(join(folder, 'package.json'));
  return isPackage || hasIndexFile(folder) ? packageSource(folder, label) : undefined;
}

function packageSource(folder: string, label: string, subpath?: string): PluginSource | MissingSource {
  try {
    const manifest = readManifest(folder) ?? {};
    return { entry: resolveEntry(folder, manifest, subpath), folder, label, manifest };
  } catch (error) {
    return { label, reason: (error as Error).message };
  }
}
