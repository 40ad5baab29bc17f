import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** The fields of a package.json that Parley reads. */
export interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
  /** Metadata of elizaOS packages. */
  readonly agentConfig?: unknown;
}

const INDEX_FILES = ['index.ts', 'index.mts', 'index.mjs', 'index.js', 'index.cjs'];
const IMPORT = ['node', 'import', 'default'];
const REQUIRE = ['node', 'require', 'default'];
const OUTSIDE = ['', '.', '..', 'node_modules'];
const NAME = /^(?<name>(?:@[^/\\]+\/)?[^/\\.@][^/\\]*)(?<rest>\/.*)?$/;

/** Splits an import specifier: `@scope/name/sub` is the package `@scope/name` with the subpath `./sub`. */
export function parseSpecifier(specifier: string): { name: string; subpath: string } | undefined {
  const { name, rest } = NAME.exec(specifier)?.groups ?? {};
  const leaves = rest?.split('/').includes('..') === true;
  return name === undefined || leaves ? undefined : { name, subpath: rest === undefined ? '.' : `.${rest}` };
}

/**
 * Finds the folder of an installed package as Node.js does: in the node_modules of each starting folder and its parents.
 *
 * @returns the real path; undefined when the package is not installed
 */
export function findPackageFolder(name: string, from: readonly string[]): string | undefined {
  for (const start of from) {
    for (let folder = start; ; folder = dirname(folder)) {
      const candidate = join(folder, 'node_modules', name);
      if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(candidate);
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}

/** @returns undefined when the folder has no package.json  @throws Error when it is not readable or not valid */
export function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is not a JSON object');
    return value;
  } catch (error) {
    throw new Error(`its package.json cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Resolves the entry file of a package: from `exports` with the conditions `node`, `import` and `default` (else `require`), else from
 * `main`, else the index file. TypeScript sources are supported.
 *
 * @param subpath `.` for the package itself
 * @throws Error that explains the problem to the plugin's author
 */
export function resolveEntry(folder: string, manifest: Manifest, subpath = '.'): string {
  const { exports, main } = manifest;
  if (exports !== undefined && exports !== null) {
    const target = resolveExport(manifest, subpath);
    return (
      fileIn(folder, target) ??
      fail(`its package.json exports ${target} for ${subpath}, which does not exist (has the package been built?)`)
    );
  }
  if (subpath !== '.') return fileIn(folder, subpath) ?? fail(`it has no file ${subpath}`);
  if (typeof main === 'string' && main !== '') {
    const found = ['', '.js', '.cjs', '.mjs', '/index.js'].map((ending) => fileIn(folder, `${main}${ending}`)).find((file) => file);
    return found ?? fail(`the main file of its package.json, ${main}, does not exist`);
  }
  return INDEX_FILES.map((name) => fileIn(folder, name)).find((file) => file) ?? fail('it has no main file and no index file');
}

export function hasIndexFile(folder: string): boolean {
  return INDEX_FILES.some((name) => fileIn(folder, name) !== undefined);
}

// PACKAGE_EXPORTS_RESOLVE of the Node.js documentation ("Modules: ECMAScript modules", "Resolution algorithm").

function resolveExport({ exports }: Manifest, subpath: string): string {
  if (typeof exports !== 'string' && !isObject(exports)) return fail('the exports of its package.json must be a path or an object');
  const { target, rest = '' } = entryFor(exports, subpath) ?? {};
  const found = resolveTarget(target, IMPORT) ?? resolveTarget(target, REQUIRE);
  if (typeof found === 'string') return found.replaceAll('*', () => rest);
  if (found === null || !isObject(target)) return fail(`its package.json does not export ${subpath}`);
  const conditions = Object.keys(target).join(', ');
  return fail(`its package.json exports ${subpath} only for ${conditions}; Parley supports node, import, require and default`);
}

/** The target of a subpath: its own entry, or the matching pattern with the longest prefix. */
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

/** @returns undefined when no condition matches; null when the target is blocked  @throws Error for a path outside the package */
function resolveTarget(target: unknown, conditions: readonly string[]): string | null | undefined {
  if (typeof target === 'string') {
    const isInside =
      target.startsWith('./') &&
      !target
        .slice(2)
        .split(/[\\/]/)
        .some((part) => OUTSIDE.includes(part));
    return isInside ? target : fail(`its package.json exports ${target}: targets must begin with ./ and stay inside the package`);
  }
  if (Array.isArray(target)) return firstTarget(target, conditions);
  if (!isObject(target)) return target === null ? null : undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const found = conditions.includes(condition) ? resolveTarget(inner, conditions) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstTarget(targets: readonly unknown[], conditions: readonly string[]): string | null {
  let fault: Error | undefined;
  for (const target of targets) {
    try {
      const found = resolveTarget(target, conditions);
      if (typeof found === 'string') return found;
    } catch (error) {
      fault = error as Error;
    }
  }
  if (fault) throw fault;
  return null;
}

/** The path of a file in a folder; undefined when it does not exist or lies outside. */
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
