import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { sqlitePath } from '../database/index.js';
import { BACKUPS } from './manifest.js';

/** The SQLite file, its write-ahead log and its shared-memory file. */
export function databaseFiles(databaseUrl: string): string[] {
  if (!databaseUrl.startsWith('sqlite:')) return [];
  const path = resolve(sqlitePath(databaseUrl));
  return [path, `${path}-wal`, `${path}-shm`];
}

/** Names in the data directory that a backup contains in addition to the database; backups and caches are excluded. */
export async function backedUpNames(dataDir: string, databaseUrl: string): Promise<string[]> {
  const database = new Set(
    databaseFiles(databaseUrl)
      .filter((path) => dirname(path) === dataDir)
      .map((path) => basename(path)),
  );
  return (await readdir(dataDir)).filter((name) => !database.has(name) && isBackedUpName(name));
}

/** Whether a name in a data directory, which is not that of the database, is one that backups contain. */
export function isBackedUpName(name: string): boolean {
  return name !== BACKUPS && name !== 'cache' && !/^(parley\.lock|restore\.)|\.restore$/.test(name);
}

/** Copies files and folders recursively; existing files stay as they are. @param signal ends the copy with an error */
export async function copyMissing(from: string, to: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const found = await stat(from).catch(() => undefined);
  if (found?.isDirectory()) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) await copyMissing(join(from, name), join(to, name), signal);
  } else if (found?.isFile()) {
    // A listed file may have been deleted since. An existing copy is identical, because files do not change after they are written.
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE).catch((error: unknown) => {
      if (!['EEXIST', 'ENOENT'].includes((error as { code?: string }).code ?? '')) throw error;
    });
  }
}

/** Copies a folder of uploaded files without those that are being received. */
export async function copyUploads(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) if (name !== 'incoming') await copyMissing(join(from, name), join(to, name), signal);
}

/** Paths of all files below a folder, relative to it, with `/` on every system. */
export async function listFiles(folder: string, prefix = ''): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    found.push(...(entry.isDirectory() ? await listFiles(folder, path) : [path]));
  }
  return found.sort();
}

/** Bytes of a file, or of all files below a folder; 0 when nothing is there. */
export async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.size ?? 0;
  let size = 0;
  // A folder may be deleted meanwhile.
  for (const name of await readdir(path).catch(() => [])) size += await sizeOf(join(path, name));
  return size;
}

/** Flushes a file or folder to disk (fsync). */
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
