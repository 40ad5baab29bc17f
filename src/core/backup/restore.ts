import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { assertReleased, DataDirLock, engineOf, type Schema } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { assertIntact, DATABASE_COPY, migrationsIn } from './copy-database.js';
import { backedUpNames, copyMissing, databaseFiles, exists, isBackedUpName, listFiles, sync } from './data-files.js';
import { BACKUPS, sha256Of, latestBackup, readManifest, UPLOADS, type Manifest } from './manifest.js';
import type { BackupSource } from './make-backup.js';
import { restorePostgres } from './postgres-copy.js';

/** This file exists in a data directory while a restore moves files. */
const STATE_FILE = 'restore.json';
const STAGED = 'restore.staged';
const SCRIPT = 'restore.sql';

export interface RestoreOptions {
  /** The files were compared with the manifest just before. */
  readonly isVerified?: boolean;
  /** The program that the data is for; without it, its next start judges them. */
  readonly schema?: Schema;
}

interface RestoreState {
  readonly folder: string;
  readonly replaced: string;
}

/**
 * Replaces the current data with a backup and moves the current data aside. The server must not run. Call it again to resume an
 * interrupted restore.
 *
 * @param from folder of a backup, or `latest` for the newest in `DATA_DIR/backups`
 * @returns the backup, and the folder that the current data was moved to
 * @throws AppError DATA_DIR_IN_USE while a server runs; BACKUP_INVALID when the folder contains no backup, a damaged one, or one of
 *   another engine; CONFIG_INVALID when a build from before the first release made it. The current data is unchanged then.
 */
export async function restoreBackup(source: BackupSource, from: string, now: Date, options: RestoreOptions = {}): Promise<RestoreState> {
  const dataDir = resolve(source.dataDir);
  const lock = await DataDirLock.acquire(dataDir);
  try {
    const markPath = join(dataDir, STATE_FILE);
    const begun = (await exists(markPath)) ? (JSON.parse(await readFile(markPath, 'utf8')) as RestoreState) : undefined;
    const folder = begun?.folder ?? resolve((from === 'latest' ? await latestBackup(dataDir) : from) ?? '');
    if (from === 'latest' && !begun && folder === resolve('')) {
      throw new AppError('BACKUP_INVALID', `There is no backup in ${join(dataDir, BACKUPS)}.`, 'Pass the folder of a backup.');
    }
    const manifest = await readManifest(folder);
    const mark = begun ?? { folder, replaced: join(dataDir, BACKUPS, `replaced-${now.toISOString().replace(/[:.]/g, '-')}`) };
    if (!begun) {
      await verify(source, folder, manifest, options);
      await stage(source, folder, manifest);
      await writeFile(markPath, JSON.stringify(mark));
      await sync(markPath);
      await sync(dataDir);
    }
    await swap(source, mark, manifest);
    return mark;
  } finally {
    await lock.release();
  }
}

/** @throws AppError CONFIG_INVALID when a restore of this data directory was interrupted: its files may belong to two states */
export async function assertNoUnfinishedRestore(dataDir: string): Promise<void> {
  if (await hasUnfinishedRestore(dataDir)) {
    throw new AppError('CONFIG_INVALID', `A restore of ${dataDir} was interrupted.`, 'Run npx parley-server restore latest to resume it.');
  }
}

/** Whether a restore of this data directory was interrupted. */
export async function hasUnfinishedRestore(dataDir: string): Promise<boolean> {
  return exists(join(dataDir, STATE_FILE));
}

async function verify(source: BackupSource, folder: string, manifest: Manifest, { isVerified, schema }: RestoreOptions): Promise<void> {
  const engine = engineOf(source.databaseUrl);
  if (manifest.engine !== engine) {
    throw new AppError(
      'BACKUP_INVALID',
      `The backup is of ${manifest.engine}, but the database is ${engine}.`,
      'Set DATABASE_URL to its previous value.',
    );
  }
  if (isVerified !== true) await verifyFiles(folder, manifest);
  const database = new Set(databaseFiles(source.databaseUrl));
  const over = listedFiles(manifest).find((path) => database.has(join(resolve(source.dataDir), path)));
  if (over !== undefined) {
    throw new AppError('BACKUP_INVALID', `The manifest lists files/${over}, which would replace the database.`, 'Use another backup.');
  }
  const copy = join(folder, DATABASE_COPY[engine]);
  if (engine === 'sqlite') await assertIntact(copy);
  if (schema) assertReleased(await migrationsIn(source, copy, join(resolve(source.dataDir), SCRIPT)), schema, `The backup ${folder}`);
}

/**
 * @throws AppError BACKUP_INVALID when a file of a backup is missing, damaged or a symbolic link, or has a name that no backup writes. A
 *   backup may come from elsewhere, so it must not read or write files outside of its place.
 */
export async function verifyFiles(folder: string, { engine, files }: Manifest): Promise<void> {
  if (files[DATABASE_COPY[engine]] === undefined) {
    throw new AppError('BACKUP_INVALID', `The manifest of ${folder} lists no ${DATABASE_COPY[engine]}.`, 'Use another backup.');
  }
  for (const [path, digest] of Object.entries(files)) {
    if (path !== DATABASE_COPY[engine] && !isBackedUpPath(path)) {
      throw new AppError('BACKUP_INVALID', `The manifest lists ${JSON.stringify(path)}, which no backup contains.`, 'Use another backup.');
    }
    if (await hasLink(folder, path)) {
      throw new AppError(
        'BACKUP_INVALID',
        `${join(folder, path)} is a symbolic link or below one.`,
        'Replace the link by what it leads to.',
      );
    }
    const found = await sha256Of(join(folder, path)).catch(() => 'missing');
    if (found !== digest) throw new AppError('BACKUP_INVALID', `${join(folder, path)} is missing or damaged.`, 'Use another backup.');
  }
}

/** Whether a path of a manifest is that of a file of the data directory, or of an uploaded file, in a backup. */
function isBackedUpPath(path: string): boolean {
  const [top, ...parts] = path.split('/');
  const isPlain = (part: string): boolean => !['', '.', '..'].includes(part) && !part.includes('\0') && !part.includes(sep);
  const isKnown = top === UPLOADS || (top === 'files' && isBackedUpName(parts[0] ?? ''));
  return isKnown && parts.length > 0 && parts.every(isPlain);
}

async function hasLink(folder: string, path: string): Promise<boolean> {
  const parts = path.split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    const found = await lstat(join(folder, ...parts.slice(0, length))).catch(() => undefined);
    if (found?.isSymbolicLink() === true) return true;
  }
  return false;
}

/** Copies everything to the file system of its destination, so that `swap` only renames. */
async function stage(source: BackupSource, folder: string, manifest: Manifest): Promise<void> {
  const staged = join(resolve(source.dataDir), STAGED);
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged);
  for (const path of listedFiles(manifest)) await copyListed(join(folder, 'files', path), join(staged, path));
  if (source.uploads !== undefined) {
    const inside = pathInside(source);
    const uploads = inside === undefined ? source.uploads : join(staged, inside);
    // They are named for their hash, so files that are there are the same, and more of them harm nothing.
    for (const path of listedFiles(manifest, UPLOADS)) {
      await copyListed(join(folder, UPLOADS, path), join(uploads, path));
      await sync(join(uploads, path));
    }
  }
  for (const path of await listFiles(staged)) await sync(join(staged, path));
  if (manifest.engine === 'postgres') {
    return restorePostgres(source, join(folder, DATABASE_COPY.postgres), join(resolve(source.dataDir), SCRIPT));
  }
  const copy = stagedDatabase(source);
  await rm(copy, { force: true });
  await copyMissing(join(folder, DATABASE_COPY.sqlite), copy);
  await sync(copy);
}

/** Paths of the files that the manifest lists in a folder, relative to it. Others may be what a stranger added. */
function listedFiles({ files }: Manifest, folder = 'files'): string[] {
  return Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));
}

/** The path of the folder of uploaded files in the data directory; undefined when it is elsewhere. */
function pathInside({ dataDir, uploads }: BackupSource): string | undefined {
  const path = uploads === undefined ? '..' : relative(resolve(dataDir), uploads);
  return isAbsolute(path) || path.split(sep)[0] === '..' ? undefined : path;
}

async function copyListed(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyMissing(from, to);
}

async function swap(source: BackupSource, { replaced }: RestoreState, manifest: Manifest): Promise<void> {
  const dataDir = resolve(source.dataDir);
  const staged = join(dataDir, STAGED);
  await mkdir(replaced, { recursive: true, mode: 0o700 });
  if (manifest.engine === 'sqlite' && (await exists(stagedDatabase(source)))) {
    const [database = '', ...beside] = databaseFiles(source.databaseUrl);
    const aside = dirname(database) === dataDir ? replaced : join(dirname(database), basename(replaced));
    await mkdir(aside, { recursive: true, mode: 0o700 });
    // The write-ahead log of the old database must not be applied to the new one.
    for (const path of [...beside, database]) if (await exists(path)) await rename(path, join(aside, basename(path)));
    await rename(stagedDatabase(source), database);
    await sync(dirname(database));
  }
  const inPlace = new Set(listedFiles(manifest).map((path) => path.split('/')[0]));
  if (listedFiles(manifest, UPLOADS).length > 0) inPlace.add(pathInside(source)?.split(sep)[0]);
  const waiting = await readdir(staged).catch(() => []);
  for (const name of waiting) inPlace.delete(name);
  for (const name of await backedUpNames(dataDir, source.databaseUrl)) {
    if (!inPlace.has(name)) await rename(join(dataDir, name), join(replaced, name));
  }
  for (const name of waiting) await rename(join(staged, name), join(dataDir, name));
  await rm(staged, { recursive: true, force: true });
  await sync(dataDir);
  await rm(join(dataDir, STATE_FILE));
}

function stagedDatabase({ databaseUrl }: BackupSource): string {
  return `${databaseFiles(databaseUrl)[0] ?? ''}.restore`;
}
