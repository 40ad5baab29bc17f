import { mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Config } from '../config/index.js';
import { engineOf, sqlitePath } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { copyDatabase, DATABASE_COPY } from './copy-database.js';
import { backedUpNames, copyMissing, copyUploads, databaseFiles, exists, listFiles, sizeOf, sync } from './data-files.js';
import { backupFolder, BACKUPS, backupsOf, MANIFEST, PARTIAL, removeBackup, sha256Of, UPLOADS, type Manifest } from './manifest.js';

/** The parts of an installation that a backup contains. */
export interface BackupSource extends Pick<Config, 'dataDir' | 'databaseUrl' | 'variable' | 'version'> {
  /** Folder of uploaded files outside of the data directory. A backup contains it, and a restore adds files to it. */
  readonly uploads?: string | undefined;
}

/** How a backup came about: with the command, over HTTP, before an upgrade, or by the schedule. */
export type BackupKind = 'command' | 'request' | 'upgrade' | 'schedule';

const SUFFIXES = { command: '', request: '-requested', upgrade: '-before-upgrade', schedule: '-scheduled' } as const;

/** How a backup is written. */
export interface BackupOptions {
  /** Stops the backup, which then fails. */
  readonly signal?: AbortSignal;
  /**
   * Makes a completely written backup visible. By default its folder gets its name; a caller that copies it elsewhere removes `partial`.
   *
   * @param partial its folder, whose name still says that it is unfinished
   */
  readonly publish?: (partial: string) => Promise<void>;
}

/**
 * Copies a snapshot of the database and the files of the data directory into a new folder. The server may run.
 *
 * @param target the new folder; by default `DATA_DIR/backups/<time>`
 * @returns the folder
 * @throws AppError CONFLICT when the folder exists or is in the data directory, but not in its backups, and the errors of `copyDatabase`; a failed backup leaves no folder
 */
export async function makeBackup(source: BackupSource, now: Date, target?: string): Promise<string> {
  return write(source, now, resolve(target ?? backupFolder(source.dataDir, backupName('command', now))));
}

/** As `makeBackup`, with options. */
export async function writeBackup(source: BackupSource, now: Date, folder: string, options: BackupOptions): Promise<void> {
  await write(source, now, resolve(folder), options);
}

/** The name of a backup in `DATA_DIR/backups` that begins at an instant. */
export function backupName(kind: BackupKind, now: Date): string {
  return `${now.toISOString().replace(/[:.]/g, '-')}${SUFFIXES[kind]}`;
}

/** When the backup of a name of `backupName` began, epoch ms. */
export function startOfBackup(name: string): number {
  return Date.parse(name.replace(/^(.{13})-(\d\d)-(\d\d)-(\d{3}Z).*$/, '$1:$2:$3.$4'));
}

export function kindOfBackup(name: string): BackupKind {
  return (['request', 'upgrade', 'schedule'] as const).find((kind) => name.endsWith(SUFFIXES[kind])) ?? 'command';
}

/** Bytes that a backup will copy, as of now; indexes that need less space in the copy make it smaller. */
export async function sizeOfSource({ dataDir, databaseUrl, uploads }: BackupSource): Promise<number> {
  let size = uploads === undefined ? 0 : await sizeOf(uploads);
  for (const path of databaseFiles(databaseUrl).slice(0, 1)) size += await sizeOf(path);
  for (const name of await backedUpNames(resolve(dataDir), databaseUrl)) size += await sizeOf(join(dataDir, name));
  return size;
}

/** Bytes that an unfinished backup has written. */
export async function sizeOfUnfinished(dataDir: string, name: string): Promise<number> {
  return sizeOf(`${backupFolder(dataDir, name)}${PARTIAL}`);
}

/**
 * Deletes unfinished backups of a kind in a folder of backups: those that were not written to the end, and those whose manifest is gone. The
 * caller knows that none of them is being written.
 *
 * @returns their names
 */
export async function deleteUnfinished(kind: BackupKind, parent: string): Promise<string[]> {
  const deleted: string[] = [];
  for (const entry of await readdir(parent).catch(() => [])) {
    const name = entry.replace(PARTIAL, '');
    if (!name.endsWith(SUFFIXES[kind]) || (entry === name && (await exists(join(parent, entry, MANIFEST))))) continue;
    await rm(join(parent, entry), { recursive: true });
    deleted.push(name);
  }
  return deleted;
}

/**
 * Makes the automatic backup before a schema change and deletes all but the newest `kept` automatic backups. The caller holds the lock of
 * the data directory, so a partial backup is left over from a process that crashed.
 */
export async function backupBeforeUpgrade(source: BackupSource, now: Date, kept: number): Promise<string> {
  await deleteUnfinished('upgrade', join(source.dataDir, BACKUPS));
  const folder = await write(source, now, backupFolder(source.dataDir, backupName('upgrade', now)));
  const automatic = (await backupsOf(source.dataDir)).filter((path) => kindOfBackup(path) === 'upgrade');
  for (const old of automatic.slice(0, Math.max(0, automatic.length - kept))) await removeBackup(old);
  return folder;
}

async function write(source: BackupSource, now: Date, folder: string, { signal, publish }: BackupOptions = {}): Promise<string> {
  const engine = engineOf(source.databaseUrl);
  if (engine === 'sqlite' && !(await exists(sqlitePath(source.databaseUrl)))) {
    const remedy = 'Set DATA_DIR (or DATABASE_URL) to the same value as for the server.';
    throw new AppError('STORAGE_UNAVAILABLE', `The database ${sqlitePath(source.databaseUrl)} does not exist.`, remedy);
  }
  // Otherwise the copy would contain itself, again and again.
  if (!['..', BACKUPS].includes(wayFrom(source.dataDir, folder))) {
    throw new AppError('CONFLICT', `${folder} is in the data directory.`, `Choose a folder outside of it, or in its ${BACKUPS}.`);
  }
  if (source.uploads !== undefined && wayFrom(source.uploads, folder) !== '..') {
    throw new AppError('CONFLICT', `${folder} is in the folder of uploaded files.`, 'Choose a folder outside of it.');
  }
  if (await exists(folder)) throw new AppError('CONFLICT', `${folder} already exists.`, 'Choose a folder that does not exist.');
  const partial = `${folder}${PARTIAL}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    await assertRoom(source, partial);
    const dataDir = resolve(source.dataDir);
    const copyFiles = async (): Promise<void> => {
      for (const kept of await backedUpNames(dataDir, source.databaseUrl)) {
        await copyMissing(join(dataDir, kept), join(partial, 'files', kept), signal);
      }
      if (source.uploads !== undefined) await copyUploads(source.uploads, join(partial, UPLOADS), signal);
    };
    // Files are copied before and after the database, because files that the snapshot refers to may be deleted or added meanwhile.
    await mkdir(join(partial, 'files'));
    await copyFiles();
    const rows = await copyDatabase(source, join(partial, DATABASE_COPY[engine]), signal);
    await copyFiles();
    const files: Record<string, string> = {};
    for (const path of await listFiles(partial)) {
      signal?.throwIfAborted();
      files[path] = await sha256Of(join(partial, path));
      await sync(join(partial, path));
    }
    const size = await sizeOf(partial);
    const manifest: Manifest = { parley: source.version, createdAt: now.toISOString(), engine, size, rows, files };
    await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
    await sync(join(partial, MANIFEST));
    if (publish) await publish(partial);
    else await publishHere(partial, folder);
    return folder;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** The first part of the path from a folder to another; `..` for one that is not below it. */
function wayFrom(folder: string, other: string): string {
  const path = relative(resolve(folder), other);
  return isAbsolute(path) ? '..' : (path.split(sep)[0] ?? '');
}

/** Gives a completely written backup its name. */
export async function publishHere(partial: string, folder: string): Promise<void> {
  await rename(partial, folder);
  await sync(dirname(folder));
}

/** Writing until the disk is full would stop the server. @throws AppError STORAGE_FULL */
async function assertRoom(source: BackupSource, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const needed = await sizeOfSource(source);
  if (needed <= free) return;
  const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024).toLocaleString('en')} MiB`;
  throw new AppError(
    'STORAGE_FULL',
    `There is no room for a backup in ${dirname(folder)}.`,
    `It needs about ${mebibytes(needed)}, and ${mebibytes(free)} are free. Free some space, or choose another folder.`,
  );
}
