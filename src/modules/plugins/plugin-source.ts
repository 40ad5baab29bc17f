import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a plugin comes from. */
export interface PluginSource {
  /** File that is imported. */
  readonly entry: string;
  /** Folder that the plugin's files belong to; STATIC routes serve nothing outside it. */
  readonly folder: string;
  /** As it is named in the log and in `GET /api/plugins`. */
  readonly label: string;
}

/** A source that was asked for and is not there. */
export interface MissingSource {
  readonly label: string;
  readonly reason: string;
}

const CODE = /\.(js|mjs|cjs|ts|mts)$/;
const NO_PLUGIN = /(\.d|\.(spec|test))\.m?[jt]s$/;
const INDEX_FILES = ['index.ts', 'index.mts', 'index.mjs', 'index.js', 'index.cjs'];

/** The plugins below a folder: each file, and each folder with a package.json or an index file. A missing folder has none. */
export async function sourcesIn(folder: string): Promise<(PluginSource | MissingSource)[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter(({ name }) => !name.startsWith('.') && !name.startsWith('_') && name !== 'node_modules')
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return folderSource(path, entry.name) ?? [];
      return entry.isFile() && CODE.test(entry.name) && !NO_PLUGIN.test(entry.name) ? [{ entry: path, folder, label: entry.name }] : [];
    });
}

/** A plugin that is named one by one: a path relative to the working folder, or an installed package. */
export function sourceNamed(name: string): PluginSource | MissingSource {
  if (name.startsWith('.') || isAbsolute(name)) {
    const path = resolve(name);
    if (!existsSync(path)) return { label: name, reason: `there is no file or folder ${path}` };
    if (CODE.test(path)) return { entry: path, folder: dirname(path), label: name };
    return folderSource(path, name) ?? { label: name, reason: `the folder ${path} has neither a package.json nor an index file` };
  }
  try {
    const entry = createRequire(join(process.cwd(), 'package.json')).resolve(name);
    return { entry, folder: dirname(entry), label: name };
  } catch {
    return { label: name, reason: 'no package of this name is installed (what begins with ./ or / is a path)' };
  }
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
  const manifest = join(folder, 'package.json');
  const index = INDEX_FILES.map((name) => join(folder, name)).find((path) => existsSync(path));
  let main: string | undefined;
  if (existsSync(manifest)) {
    try {
      main = mainOf(JSON.parse(readFileSync(manifest, 'utf8')) as Manifest);
    } catch (error) {
      return { label, reason: `its package.json cannot be read: ${(error as Error).message}` };
    }
    if (main === undefined && index === undefined) return { label, reason: 'it has neither a main file nor an index file' };
  }
  if (main === undefined) return index === undefined ? undefined : { entry: index, folder, label };
  const entry = ['', '.js', '.cjs', '/index.js'].map((ending) => join(folder, `${main}${ending}`)).find(isFile);
  return entry === undefined ? { label, reason: `the main file of its package.json, ${main}, is not there` } : { entry, folder, label };
}

interface Manifest {
  readonly main?: unknown;
  readonly exports?: unknown;
}

function mainOf({ main, exports }: Manifest): string | undefined {
  return ofCondition(exports) ?? (typeof main === 'string' ? main : undefined);
}

/** The file that a package's `exports` gives to who imports the package. */
function ofCondition(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const conditions = exports as Record<string, unknown>;
  const key = ['.', 'import', 'node', 'default', 'require'].find((name) => Object.hasOwn(conditions, name));
  return key === undefined ? undefined : ofCondition(conditions[key]);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
