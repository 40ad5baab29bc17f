import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { sqlitePath } from '../database/index.js';
import { BACKUPS } from './manifest.js';

/** The SQLite file and what SQLite keeps beside it. */
export function databaseFiles(databaseUrl: string): string[] {
  if (!databaseUrl.startsWith('sqlite:')) return [];
  const path = resolve(sqlitePath(databaseUrl));
  return [path, `${path}-wal`, `${path}-shm`];
}

/** Names in the data directory that belong into a backup beside the database: not the backups, nor what can be made again. */
export async function keptNames(dataDir: string, databaseUrl: string): Promise<string[]> {
  const left = new Set([
    BACKUPS,
    'cache',
    ...databaseFiles(databaseUrl)
      .filter((path) => dirname(path) === dataDir)
      .map((path) => basename(path)),
  ]);
  return (await readdir(dataDir)).filter((name) => !left.has(name) && !/^(parley\.lock|restore\.)|\.restore$/.test(name));
}

/** Copies files and folders, leaving out what is already there. */
export async function copyNew(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found?.isDirectory()) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) await copyNew(join(from, name), join(to, name));
  } else if (found?.isFile()) {
    // A file that is gone since it was listed was removed on purpose, and one that was copied before is the same.
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE).catch((error: unknown) => {
      if (!['EEXIST', 'ENOENT'].includes((error as { code?: string }).code ?? '')) throw error;
    });
  }
}

/** Paths of all files below a folder, relative to it. */
export async function filesBelow(folder: string, prefix = ''): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const path = join(prefix, entry.name);
    found.push(...(entry.isDirectory() ? await filesBelow(folder, path) : [path]));
  }
  return found.sort();
}

/** Waits until a file or folder is on disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
