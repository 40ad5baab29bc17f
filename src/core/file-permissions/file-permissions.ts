import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/index.js';
import { engineOf, sqlitePath } from '../database/index.js';
import { Log } from '../logging/index.js';

const GROUP_AND_OTHERS = 0o077;
const STICKY = 0o1000;
// Names of Parley's files in DATA_DIR and MEDIA_DIR.
const DATA_FILE = /^(parley\.(lock|sqlite)|secret\.key|restore\.(json|sql)|\.env)([-.].+)?$/;
const DATA_FOLDER = /^(media|backups|cache|faults|restore\.staged)$/;
const MEDIA_FOLDER = /^(incoming|[0-9a-f]{2})$/;

/** Locations of conversations, uploads and keys. */
type DataPaths = Pick<Config, 'dataDir' | 'mediaDir' | 'databaseUrl'>;

/** Restricts new files to the user of the process, including files written by libraries, workers and child processes (umask). */
export function restrictUmask(): void {
  process.umask(process.umask() | GROUP_AND_OTHERS);
}

/**
 * Removes the permissions of other users on existing files: DATA_DIR with its content, MEDIA_DIR and the database. A folder that contains
 * other files, belongs to another user or is shared (such as /tmp) keeps its permissions; Parley's files in it are restricted nevertheless.
 * Failures are logged.
 *
 * Call it before the database is opened: closing a file releases all locks that the process holds on it.
 */
export async function restrictPermissions(places: DataPaths): Promise<void> {
  if (process.platform === 'win32') return;
  const { databaseUrl } = places;
  const dataDir = resolve(places.dataDir);
  const mediaDir = resolve(places.mediaDir);
  const unrestricted: string[] = [];
  await restrictConfiguredFolder(dataDir, { file: DATA_FILE, folder: DATA_FOLDER }, unrestricted);
  await restrictConfiguredFolder(mediaDir, { folder: MEDIA_FOLDER }, unrestricted);
  if (engineOf(databaseUrl) === 'sqlite') {
    const path = resolve(sqlitePath(databaseUrl));
    if (dirname(path) !== dataDir) for (const end of ['', '-wal', '-shm', '-journal']) await restrict(path + end, unrestricted);
  }
  if (unrestricted.length === 0) return;
  const way = 'Use a DATA_DIR (and MEDIA_DIR) for Parley alone, on a file system with permissions: mode 0700, owned by its user.';
  new Log('start').warn('other users of this machine may read or list data of Parley', { paths: unrestricted, way });
}

interface Names {
  readonly file?: RegExp;
  readonly folder: RegExp;
}

/** Restricts a configured folder, which may contain files of other programs. */
async function restrictConfiguredFolder(path: string, { file, folder }: Names, left: string[]): Promise<void> {
  // A link set by the operator is followed; links inside the folder are not.
  const real = await realpath(path).catch(() => undefined);
  const entries = real === undefined ? undefined : await readdir(real, { withFileTypes: true }).catch(() => undefined);
  if (real === undefined || entries === undefined) return;
  const ours = entries.filter((entry) => (entry.isDirectory() ? folder.test(entry.name) : file?.test(entry.name) === true));
  for (const entry of ours) await restrictTree(join(real, entry.name), left);
  const found = await lstat(real).catch(() => undefined);
  if (ours.length === entries.length && found && (found.mode & STICKY) === 0) await restrict(real, left);
  else if (found && (found.mode & GROUP_AND_OTHERS) !== 0) left.push(real);
}

/** Restricts a file or a folder of Parley. A folder that is already restricted is not entered: other users cannot enter it either. */
async function restrictTree(path: string, left: string[]): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isSymbolicLink() || (found.mode & GROUP_AND_OTHERS) === 0) return;
  if (found.isDirectory()) {
    for (const name of await readdir(path).catch(() => [])) await restrictTree(join(path, name), left);
  }
  await restrict(path, left);
}

/** Uses a file descriptor, so that a link created in the meantime has no effect. */
async function restrict(path: string, left: string[]): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || (!found.isFile() && !found.isDirectory()) || (found.mode & GROUP_AND_OTHERS) === 0) return;
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { uid, mode } = await handle.stat();
      if (uid === process.geteuid?.()) await handle.chmod(mode & 0o7777 & ~GROUP_AND_OTHERS);
      if (((await handle.stat()).mode & GROUP_AND_OTHERS) !== 0) left.push(path);
    } finally {
      await handle.close();
    }
  } catch {
    left.push(path);
  }
}
