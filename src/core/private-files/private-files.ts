import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/index.js';
import { engineOf, sqlitePath } from '../database/index.js';
import { Log } from '../logging/index.js';

const OTHERS = 0o077;
const STICKY = 0o1000;
// Names of ours in DATA_DIR and MEDIA_DIR.
const DATA_FILE = /^(parley\.(lock|sqlite)|secret\.key|restore\.(json|sql)|\.env)([-.].+)?$/;
const DATA_FOLDER = /^(media|backups|cache|restore\.staged)$/;
const MEDIA_FOLDER = /^(incoming|[0-9a-f]{2})$/;

/** Where conversations, uploads and keys are. */
type Places = Pick<Config, 'dataDir' | 'mediaDir' | 'databaseUrl'>;

/** What this process writes from now on is for its user alone: also what libraries, workers and tools that it starts write. */
export function writePrivately(): void {
  process.umask(process.umask() | OTHERS);
}

/**
 * Takes from other users what is there already: DATA_DIR with all in it, MEDIA_DIR, the database. A folder that holds more than
 * Parley's files, belongs to another user or is one for everybody (as /tmp) stays as it is; what is Parley's in it is closed nonetheless.
 * What cannot be closed is logged, and is no reason not to go on.
 *
 * Call it before the database is opened: closing a file lets go of the locks that this process has on it.
 */
export async function closeToOthers(places: Places): Promise<void> {
  if (process.platform === 'win32') return;
  const { databaseUrl } = places;
  const dataDir = resolve(places.dataDir);
  const mediaDir = resolve(places.mediaDir);
  const left: string[] = [];
  await closeFolder(dataDir, { file: DATA_FILE, folder: DATA_FOLDER }, left);
  await closeFolder(mediaDir, { folder: MEDIA_FOLDER }, left);
  if (engineOf(databaseUrl) === 'sqlite') {
    const path = resolve(sqlitePath(databaseUrl));
    if (dirname(path) !== dataDir) for (const end of ['', '-wal', '-shm', '-journal']) await close(path + end, left);
  }
  if (left.length === 0) return;
  const way = 'Give Parley a DATA_DIR (and MEDIA_DIR) of its own, on a file system with permissions: mode 0700, owned by its user.';
  new Log('start').warn('other users of this machine may read or list what Parley keeps', { paths: left, way });
}

interface Names {
  readonly file?: RegExp;
  readonly folder: RegExp;
}

/** A folder of the configuration: it may be one that Parley shares with others. */
async function closeFolder(path: string, { file, folder }: Names, left: string[]): Promise<void> {
  // A link that the operator has set is followed; those within are not.
  const real = await realpath(path).catch(() => undefined);
  const entries = real === undefined ? undefined : await readdir(real, { withFileTypes: true }).catch(() => undefined);
  if (real === undefined || entries === undefined) return;
  const ours = entries.filter((entry) => (entry.isDirectory() ? folder.test(entry.name) : file?.test(entry.name) === true));
  for (const entry of ours) await closeTree(join(real, entry.name), left);
  const found = await lstat(real).catch(() => undefined);
  if (ours.length === entries.length && found && (found.mode & STICKY) === 0) await close(real, left);
  else if (found && (found.mode & OTHERS) !== 0) left.push(real);
}

/** A file, or a folder of Parley's own; a closed one is not entered: other users cannot enter it either. */
async function closeTree(path: string, left: string[]): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return;
  if (found.isDirectory()) {
    for (const name of await readdir(path).catch(() => [])) await closeTree(join(path, name), left);
  }
  await close(path, left);
}

/** By its descriptor, so that a link put there in between leads nowhere. */
async function close(path: string, left: string[]): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || (!found.isFile() && !found.isDirectory()) || (found.mode & OTHERS) === 0) return;
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { uid, mode } = await handle.stat();
      if (uid === process.geteuid?.()) await handle.chmod(mode & 0o7777 & ~OTHERS);
      if (((await handle.stat()).mode & OTHERS) !== 0) left.push(path);
    } finally {
      await handle.close();
    }
  } catch {
    left.push(path);
  }
}
