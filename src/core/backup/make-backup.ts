import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/index.js';
import { engineOf, sqlitePath } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { copyDatabase, DATABASE_COPY } from './copy-database.js';
import { copyNew, exists, filesBelow, keptNames, sync } from './data-files.js';
import { BACKUPS, backupsOf, digestOf, MANIFEST, type Manifest } from './manifest.js';

/** What a backup is made of. */
export type BackupSource = Pick<Config, 'dataDir' | 'databaseUrl' | 'variable' | 'version'>;

const AUTOMATIC = 'before-upgrade';
/** Ending of a folder's name until its backup is finished. */
const PARTIAL = '.partial';

/**
 * Copies the database, at one instant, and every kept file of the data directory into a new folder. The server may run.
 *
 * @param target the new folder; by default one named for the time, in `DATA_DIR/backups`
 * @returns the folder
 * @throws AppError CONFLICT when the folder exists, and what `copyDatabase` throws; nothing is left then
 */
export async function makeBackup(source: BackupSource, now: Date, target?: string): Promise<string> {
  const name = now.toISOString().replace(/[:.]/g, '-');
  return write(source, now, resolve(target ?? join(source.dataDir, BACKUPS, name)));
}

/**
 * The copy that is made by itself before the schema is changed; of these only the newest are kept. Called by who holds the data
 * directory, so an unfinished one is of a process that died.
 */
export async function backupBeforeUpgrade(source: BackupSource, now: Date, kept: number): Promise<string> {
  const backups = join(source.dataDir, BACKUPS);
  for (const name of await readdir(backups).catch(() => [])) {
    if (name.endsWith(`-${AUTOMATIC}${PARTIAL}`)) await rm(join(backups, name), { recursive: true });
  }
  const name = `${now.toISOString().replace(/[:.]/g, '-')}-${AUTOMATIC}`;
  const folder = await write(source, now, join(backups, name));
  const automatic = (await backupsOf(source.dataDir)).filter((path) => path.endsWith(AUTOMATIC));
  for (const old of automatic.slice(0, Math.max(0, automatic.length - kept))) await rm(old, { recursive: true });
  return folder;
}

async function write(source: BackupSource, now: Date, folder: string): Promise<string> {
  const engine = engineOf(source.databaseUrl);
  if (engine === 'sqlite' && !(await exists(sqlitePath(source.databaseUrl)))) {
    const way = 'Set DATA_DIR (or DATABASE_URL) as it is set for the server.';
    throw new AppError('STORAGE_UNAVAILABLE', `There is no database ${sqlitePath(source.databaseUrl)}.`, way);
  }
  if (await exists(folder)) throw new AppError('CONFLICT', `${folder} exists already.`, 'Name a folder that does not exist.');
  const partial = `${folder}${PARTIAL}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const dataDir = resolve(source.dataDir);
    const copyFiles = async (): Promise<void> => {
      for (const kept of await keptNames(dataDir, source.databaseUrl)) await copyNew(join(dataDir, kept), join(partial, 'files', kept));
    };
    // Files before and after: what the database of that instant refers to may be removed, or have come, while it is copied.
    await mkdir(join(partial, 'files'));
    await copyFiles();
    await copyDatabase(source, join(partial, DATABASE_COPY[engine]));
    await copyFiles();
    const files: Record<string, string> = {};
    for (const path of await filesBelow(partial)) {
      files[path] = await digestOf(join(partial, path));
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
