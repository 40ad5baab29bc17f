import { constants } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { backedUpNames, exists, listFiles, sha256Of, sync } from '../../core/backup/index.js';
import type { Connection } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';

const KEY_FILE = 'secret.key';

/** @throws AppError CONFLICT when the folder has the key of another installation */
export async function assertSameKey(from: string, to: string): Promise<void> {
  const [own, other] = await Promise.all([from, to].map((folder) => readFile(join(folder, KEY_FILE), 'utf8').catch(() => undefined)));
  if (own === undefined || other === undefined || own.trim() === other.trim()) return;
  throw new AppError(
    'CONFLICT',
    `${join(to, KEY_FILE)} is not the key of the database that is moved.`,
    'Use a new folder, or move that file away: secrets of the database can be read only with its own key.',
  );
}

/** Address of the SQLite file of a data directory. */
export function databaseIn(folder: string): string {
  return `sqlite:${join(folder, 'parley.sqlite')}`;
}

/**
 * Copies the files of an installation, such as uploads and the key: everything but a SQLite file, backups and caches. Each copy is read back
 * and compared. Files that are already there are kept when they are equal.
 *
 * @returns the number of files
 * @throws AppError CONFLICT when a file of the same name has another content
 */
export async function copyFiles(from: string, to: string, report: (files: number, total: number) => void): Promise<number> {
  const paths: string[] = [];
  for (const name of await backedUpNames(from, databaseIn(from))) {
    const path = join(from, name);
    const isFolder = (await stat(path)).isDirectory();
    paths.push(...(isFolder ? (await listFiles(path)).map((each) => join(name, each)) : [name]));
  }
  for (const [index, path] of paths.entries()) {
    await copyOne(join(from, path), join(to, path));
    report(index + 1, paths.length);
  }
  return paths.length;
}

async function copyOne(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  if (!(await exists(to))) {
    // An interruption leaves no file that looks complete.
    await copyFile(from, `${to}.part`, constants.COPYFILE_FICLONE);
    await sync(`${to}.part`);
    await rename(`${to}.part`, to);
  }
  if ((await sha256Of(from)) === (await sha256Of(to))) return;
  throw new AppError('CONFLICT', `${to} exists and differs from ${from}.`, 'Use a new folder, or move that file away.');
}

/** Whether a folder is in another one, or is that one. */
export function isWithin(folder: string, path: string): boolean {
  return !relative(resolve(folder), resolve(path)).startsWith('..');
}

/** Number of uploads that the database has, and of those whose content is not in the folder of uploads. */
export async function missingUploads(
  database: Connection,
  mediaDir: string,
): Promise<{ readonly total: number; readonly missing: number }> {
  const present = new Set<string>();
  for (const shard of await readdir(mediaDir).catch(() => [])) {
    for (const name of /^[0-9a-f]{2}$/.test(shard) ? await readdir(join(mediaDir, shard)) : []) present.add(name);
  }
  let [total, missing, last] = [0, 0, ''];
  for (;;) {
    const hashes = await database.rows<{ hash: string }>('SELECT DISTINCT hash FROM media_files WHERE hash > ? ORDER BY hash LIMIT 5000', [
      last,
    ]);
    total += hashes.length;
    missing += hashes.filter(({ hash }) => !present.has(hash)).length;
    last = hashes.at(-1)?.hash ?? '';
    if (last === '') return { total, missing };
  }
}
