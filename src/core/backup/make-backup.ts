import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/index.js';
import { engineOf, sqlitePath } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { copyDatabase, DATABASE_COPY } from './copy-database.js';
import { copyMissing, exists, listFiles, backedUpNames, sync } from './data-files.js';
import { BACKUPS, backupsOf, sha256Of, MANIFEST, type Manifest } from './manifest.js';

/** The parts of the configuration that a backup needs. */
export type BackupSource = Pick<Config, 'dataDir' | 'databaseUrl' | 'variable' | 'version'>;

const AUTOMATIC_SUFFIX = 'before-upgrade';
/** Suffix of the folder's name until the backup is complete. */
const PARTIAL = '.partial';

/**
 * Copies a snapshot of the database and the files of the data directory into a new folder. The server may run.
 *
 * @param target the new folder; by default `DATA_DIR/backups/<time>`
 * @returns the folder
 * @throws AppError CONFLICT when the folder exists, and the errors of `copyDatabase`; a failed backup leaves no folder
 */
export async function makeBackup(source: BackupSource, now: Date, target?: string): Promise<string> {
  const name = now.toISOString().replace(/[:.]/g, '-');
  return write(source, now, resolve(target ?? join(source.dataDir, BACKUPS, name)));
}

/**
 * Makes the automatic backup before a schema change and deletes all but the newest `kept` automatic backups. The caller holds the lock of
 * the data directory, so a partial backup is left over from a process that crashed.
 */
export async function backupBeforeUpgrade(source: BackupSource, now: Date, kept: number): Promise<string> {
  const backups = join(source.dataDir, BACKUPS);
  for (const name of await readdir(backups).catch(() => [])) {
    if (name.endsWith(`-${AUTOMATIC_SUFFIX}${PARTIAL}`)) await rm(join(backups, name), { recursive: true });
  }
  const name = `${now.toISOString().replace(/[:.]/g, '-')}-${AUTOMATIC_SUFFIX}`;
  const folder = await write(source, now, join(backups, name));
  const automatic = (await backupsOf(source.dataDir)).filter((path) => path.endsWith(AUTOMATIC_SUFFIX));
  for (const old of automatic.slice(0, Math.max(0, automatic.length - kept))) await rm(old, { recursive: true });
  return folder;
}

async function write(source: BackupSource, now: Date, folder: string): Promise<string> {
  const engine = engineOf(source.databaseUrl);
  if (engine === 'sqlite' && !(await exists(sqlitePath(source.databaseUrl)))) {
    const remedy = 'Set DATA_DIR (or DATABASE_URL) to the same value as for the server.';
    throw new AppError('STORAGE_UNAVAILABLE', `The database ${sqlitePath(source.databaseUrl)} does not exist.`, remedy);
  }
  if (await exists(folder)) throw new AppError('CONFLICT', `${folder} already exists.`, 'Choose a folder that does not exist.');
  const partial = `${folder}${PARTIAL}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const dataDir = resolve(source.dataDir);
    const copyFiles = async (): Promise<void> => {
      for (const kept of await backedUpNames(dataDir, source.databaseUrl)) {
        await copyMissing(join(dataDir, kept), join(partial, 'files', kept));
      }
    };
    // Files are copied before and after the database, because files that the snapshot refers to may be deleted or added meanwhile.
    await mkdir(join(partial, 'files'));
    await copyFiles();
    await copyDatabase(source, join(partial, DATABASE_COPY[engine]));
    await copyFiles();
    const files: Record<string, string> = {};
    for (const path of await listFiles(partial)) {
      files[path] = await sha256Of(join(partial, path));
      await sync(join(partial, path));
    }
    const manifest: Manifest = { parley: source.version, createdAt: now.toISOString(), engine, files };
    await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
    await sync(join(partial, MANIFEST));
    await rename(partial, folder);
    await sync(dirname(folder));
    return folder;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}
