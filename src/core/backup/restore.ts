import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DataDirLock, engineOf } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { assertSound, DATABASE_COPY, restorePostgres } from './copy-database.js';
import { copyNew, databaseFiles, exists, filesBelow, keptNames, sync } from './data-files.js';
import { BACKUPS, digestOf, latestBackup, readManifest, type Manifest } from './manifest.js';
import type { BackupSource } from './make-backup.js';

/** While this file is in a data directory, a restore has begun to move files and has not ended. */
const RESTORE_MARK = 'restore.json';
const STAGED = 'restore.staged';

interface Mark {
  readonly folder: string;
  readonly replaced: string;
}

/**
 * Puts a backup in the place of the present state, which is moved aside. The server must not run. A restore that was cut
 * off is taken up where it was by calling this again.
 *
 * @param from folder of a backup, or `latest` for the newest in `DATA_DIR/backups`
 * @returns the backup, and where the present state was moved
 * @throws AppError DATA_DIR_IN_USE while a server runs; BACKUP_INVALID when the backup is none, is damaged or is another
 *   engine's; the present state is then as it was
 */
export async function restoreBackup(source: BackupSource, from: string, now: Date): Promise<Mark> {
  const dataDir = resolve(source.dataDir);
  const lock = await DataDirLock.take(dataDir);
  try {
    const markPath = join(dataDir, RESTORE_MARK);
    const begun = (await exists(markPath)) ? (JSON.parse(await readFile(markPath, 'utf8')) as Mark) : undefined;
    const folder = begun?.folder ?? resolve((from === 'latest' ? await latestBackup(dataDir) : from) ?? '');
    if (from === 'latest' && !begun && folder === resolve('')) {
      throw new AppError('BACKUP_INVALID', `There is no backup in ${join(dataDir, BACKUPS)}.`, 'Name the folder of a backup.');
    }
    const manifest = await readManifest(folder);
    const mark = begun ?? { folder, replaced: join(dataDir, BACKUPS, `replaced-${now.toISOString().replace(/[:.]/g, '-')}`) };
    if (!begun) {
      await verify(source, folder, manifest);
      await stage(source, folder, manifest);
      await writeFile(markPath, JSON.stringify(mark));
      await sync(markPath);
      await sync(dataDir);
    }
    await exchange(source, mark, manifest);
    return mark;
  } finally {
    await lock.release();
  }
}

/** @throws AppError CONFIG_INVALID when a restore of this data directory was cut off: what is there may belong to two states */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if (await exists(join(dataDir, RESTORE_MARK))) {
    throw new AppError('CONFIG_INVALID', `A restore of ${dataDir} was cut off.`, 'Run parley restore latest: it goes on where it was.');
  }
}

async function verify(source: BackupSource, folder: string, manifest: Manifest): Promise<void> {
  const engine = engineOf(source.databaseUrl);
  if (manifest.engine !== engine) {
    throw new AppError(
      'BACKUP_INVALID',
      `The backup is one of ${manifest.engine}, the database is ${engine}.`,
      'Set DATABASE_URL as it was.',
    );
  }
  for (const [path, digest] of Object.entries(manifest.files)) {
    const found = await digestOf(join(folder, path)).catch(() => 'missing');
    if (found !== digest) throw new AppError('BACKUP_INVALID', `${join(folder, path)} is missing or damaged.`, 'Take another backup.');
  }
  if (engine === 'sqlite') await assertSound(join(folder, DATABASE_COPY.sqlite));
}

/** Copies everything next to where it belongs, so that the exchange itself only renames. */
async function stage(source: BackupSource, folder: string, manifest: Manifest): Promise<void> {
  const staged = join(resolve(source.dataDir), STAGED);
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged);
  await copyNew(join(folder, 'files'), staged);
  for (const path of await filesBelow(staged)) await sync(join(staged, path));
  if (manifest.engine === 'postgres') {
    return restorePostgres(source, join(folder, DATABASE_COPY.postgres), join(resolve(source.dataDir), 'restore.sql'));
  }
  const copy = stagedDatabase(source);
  await rm(copy, { force: true });
  await copyNew(join(folder, DATABASE_COPY.sqlite), copy);
  await sync(copy);
}

async function exchange(source: BackupSource, { replaced }: Mark, manifest: Manifest): Promise<void> {
  const dataDir = resolve(source.dataDir);
  const staged = join(dataDir, STAGED);
  await mkdir(replaced, { recursive: true, mode: 0o700 });
  if (manifest.engine === 'sqlite' && (await exists(stagedDatabase(source)))) {
    const [database = '', ...beside] = databaseFiles(source.databaseUrl);
    const aside = dirname(database) === dataDir ? replaced : join(dirname(database), basename(replaced));
    await mkdir(aside, { recursive: true, mode: 0o700 });
    // What the old file has not taken in yet lies beside it, and the new file must not take it in.
    for (const path of [...beside, database]) if (await exists(path)) await rename(path, join(aside, basename(path)));
    await rename(stagedDatabase(source), database);
    await sync(dirname(database));
  }
  const inPlace = new Set(Object.keys(manifest.files).flatMap((path) => (path.startsWith('files/') ? [path.split('/')[1]] : [])));
  const waiting = await readdir(staged).catch(() => []);
  for (const name of waiting) inPlace.delete(name);
  for (const name of await keptNames(dataDir, source.databaseUrl)) {
    if (!inPlace.has(name)) await rename(join(dataDir, name), join(replaced, name));
  }
  for (const name of waiting) await rename(join(staged, name), join(dataDir, name));
  await rm(staged, { recursive: true, force: true });
  await sync(dataDir);
  await rm(join(dataDir, RESTORE_MARK));
}

function stagedDatabase({ databaseUrl }: BackupSource): string {
  return `${databaseFiles(databaseUrl)[0] ?? ''}.restore`;
}
