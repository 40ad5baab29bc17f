import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** What Parley reads of a package.json. */
export interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
  readonly peerDependencies?: unknown;
  /** What packages of elizaOS say of themselves. */
  readonly agentConfig?: unknown;
}

const INDEX_FILES = ['index.ts', 'index.mts', 'index.mjs', 'index.js', 'index.cjs'];
const IMPORT = ['node', 'import', 'default'];
const REQUIRE = ['node', 'require', 'default'];
const OUTSIDE = ['', '.', '..', 'node_modules'];
const NAME = /^(?<name>(?:@[^/\\]+\/)?[^/\\.@][^/\\]*)(?<rest>\/.*)?$/;

/** Splits what `import` would be given: `@scope/name/sub` is the package `@scope/name` and the subpath `./sub`. */
export function packageName(specifier: string): { name: string; subpath: string } | undefined {
  const { name, rest } = NAME.exec(specifier)?.groups ?? {};
  const leaves = rest?.split('/').includes('..') === true;
  return name === undefined || leaves ? undefined : { name, subpath: rest === undefined ? '.' : `.${rest}` };
}

/**
 * The folder of an installed package, looked for as Node does: in the node_modules of each starting folder and of those above it.
 *
 * @returns the real path; undefined when the package is not there
 */
export function installedFolder(name: string, from: readonly string[]): string | undefined {
  for (const start of from) {
    for (let folder = start; ; folder = dirname(folder)) {
      const candidate = join(folder, 'node_modules', name);
      if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(candidate);
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}

/** @returns undefined when the folder has no package.json  @throws Error with the reason when it cannot be read */
export function manifestIn(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is no JSON object');
    return value;
  } catch (error) {
    throw new Error(`its package.json cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * The file that `import` gets of the package in a folder: from `exports` with the conditions `node`, `import` and `default` (failing
 * that `require`), else from `main`, else the index file. TypeScript sources count.
 *
 * @param subpath `.` for the package itself
 * @throws Error with the reason, for the plugin's author
 */
export function entryOf(folder: string, manifest: Manifest, subpath = '.'): string {
  const { exports, main } = manifest;
  if (exports !== undefined && exports !== null) {
    const target = exportedBy(manifest, subpath);
    return fileIn(folder, target) ?? fail(`its package.json exports ${target} for ${subpath}, which is not there (has it been built?)`);
  }
  if (subpath !== '.') return fileIn(folder, subpath) ?? fail(`it has no file ${subpath}`);
  if (typeof main === 'string' && main !== '') {
    const found = ['', '.js', '.cjs', '.mjs', '/index.js'].map((ending) => fileIn(folder, `${main}${ending}`)).find((file) => file);
    return found ?? fail(`the main file of its package.json, ${main}, is not there`);
  }
  return INDEX_FILES.map((name) => fileIn(folder, name)).find((file) => file) ?? fail('it has neither a main file nor an index file');
}

export function hasIndexFile(folder: string): boolean {
  return INDEX_FILES.some((name) => fileIn(folder, name) !== undefined);
}

// The rest is PACKAGE_EXPORTS_RESOLVE of Node's documentation ("Modules: ECMAScript modules", "Resolution algorithm").

function exportedBy({ exports }: Manifest, subpath: string): string {
  if (typeof exports !== 'string' && !isObject(exports)) return fail('the exports of its package.json are neither a path nor an object');
  const { target, rest = '' } = entryFor(exports, subpath) ?? {};
  const found = targetOf(target, IMPORT) ?? targetOf(target, REQUIRE);
  if (typeof found === 'string') return found.replaceAll('*', () => rest);
  if (found === null || !isObject(target)) return fail(`its package.json does not export ${subpath}`);
  const conditions = Object.keys(target).join(', ');
  return fail(
    `its package.json exports ${subpath} for ${conditions} alone; Node imports what is there for node, import, require or default`,
  );
}

/** What stands for a subpath: itself, or the pattern with the longest beginning that matches. */
function entryFor(exports: unknown, subpath: string): { target: unknown; rest?: string } | undefined {
  const bySubpath = isObject(exports) && !Array.isArray(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  const entries: Record<string, unknown> = bySubpath ? { ...exports } : { '.': exports };
  if (Object.hasOwn(entries, subpath) && !subpath.includes('*')) return { target: entries[subpath] };
  const matches = Object.entries(entries).flatMap(([key, target]) => {
    const [head = '', tail, ...more] = key.split('*');
    if (tail === undefined || more.length > 0 || subpath.length < key.length) return [];
    return subpath.startsWith(head) && subpath.endsWith(tail)
      ? [{ key, head, target, rest: subpath.slice(head.length, subpath.length - tail.length) }]
      : [];
  });
  return matches.sort((a, b) => b.head.length - a.head.length || b.key.length - a.key.length)[0];
}

/** @returns undefined when no condition fits; null when it is kept from being imported  @throws Error when the path is none of the package */
function targetOf(target: unknown, conditions: readonly string[]): string | null | undefined {
  if (typeof target === 'string') {
    const isInside =
      target.startsWith('./') &&
      !target
        .slice(2)
        .split(/[\\/]/)
        .some((part) => OUTSIDE.includes(part));
    return isInside ? target : fail(`its package.json exports ${target}: a file of a package is named by ./ and its path in it`);
  }
  if (Array.isArray(target)) return firstOf(target, conditions);
  if (!isObject(target)) return target === null ? null : undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const found = conditions.includes(condition) ? targetOf(inner, conditions) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstOf(targets: readonly unknown[], conditions: readonly string[]): string | null {
  let fault: Error | undefined;
  for (const target of targets) {
    try {
      const found = targetOf(target, conditions);
      if (typeof found === 'string') return found;
    } catch (error) {
      fault = error as Error;
    }
  }
  if (fault) throw fault;
  return null;
}

/** The path of a file in a folder; undefined when it is none, or lies outside. */
function fileIn(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  return file.startsWith(folder + sep) && existsSync(file) && statSync(file).isFile() ? file : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function fail(reason: string): never {
  throw new Error(reason);
}
