import { readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

/**
 * The archive or folder that Parley was installed from, which a new project can depend on as well. A clone is its own source; npm records
 * the archive of an installation next to the installed packages.
 *
 * @param root the folder of the package
 * @param name the name of the package
 * @returns an absolute path; undefined for a package from a registry, and for a global installation, of which npm keeps no record
 */
export function packageSource(root: string, name: string): string | undefined {
  const folder = resolve(root);
  const parts = folder.split(sep);
  const modules = parts.lastIndexOf('node_modules');
  if (modules === -1) return folder;
  const top = parts.slice(0, modules + 1).join(sep);
  try {
    const { packages } = JSON.parse(readFileSync(join(top, '.package-lock.json'), 'utf8')) as {
      packages?: Record<string, { resolved?: string } | undefined>;
    };
    const resolved = packages?.[`node_modules/${name}`]?.resolved;
    return resolved?.startsWith('file:') ? resolve(dirname(top), resolved.slice('file:'.length)) : undefined;
  } catch {
    return undefined;
  }
}
