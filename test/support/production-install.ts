import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
/** The files of Parley itself that a production installation has, beside its packages. */
const PROGRAM = [
  'package.json',
  'dist',
  'scripts',
  'characters',
  'plugins',
  'docs/reference',
  'docs/guides',
  'docs/architecture.md',
  'README.md',
];
const BLOCK_BYTES = 4096;

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/**
 * Copies the built program into a folder, with the packages that `npm ci --omit=dev --omit=optional` installs: npm decides by the same flags of
 * package-lock.json. Takes them from the packages of this repository, so it needs no network.
 */
export function installForProduction(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of PROGRAM) place(join(ROOT, name), join(folder, name));
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    if (path !== '' && !dev && !optional && !devOptional) place(join(ROOT, path), join(folder, path));
  }
}

/** Size on disk of all files in a folder, bytes, in blocks of 4 KB. */
export function diskUsage(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? diskUsage(path) : Math.ceil(statSync(path).size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return bytes;
}

/** A package without its nested packages, which have flags of their own. */
function place(from: string, to: string): void {
  if (!statSync(from).isDirectory()) {
    copyFileSync(from, to);
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== 'node_modules') place(join(from, name), join(to, name));
  }
}
