import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors/index.js';

/** Name of the manifest. It is written last, so a folder without it is an incomplete backup. */
export const MANIFEST = 'backup.json';
/** Name of the folder of backups in a data directory. */
export const BACKUPS = 'backups';
/** Name of the folder in a backup with uploaded files from outside of the data directory. */
export const UPLOADS = 'uploads';
/** Suffix of the folder's name until the backup is complete. */
export const PARTIAL = '.partial';

/** Description of a backup. */
export interface Manifest {
  /** Version of Parley that made it. */
  readonly parley: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly engine: 'sqlite' | 'postgres';
  /** Bytes of the files. */
  readonly size: number;
  /** Number of rows of each table. */
  readonly rows: Record<string, number>;
  /** SHA-256 of every file, by its path in the backup. */
  readonly files: Record<string, string>;
}

/** @throws AppError BACKUP_INVALID when the folder contains no complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return parseManifest(await readFile(join(folder, MANIFEST), 'utf8'));
  } catch (error) {
    throw new AppError(
      'BACKUP_INVALID',
      `${folder} contains no complete backup.`,
      `A backup is a folder that contains ${MANIFEST}.`,
      error,
    );
  }
}

/** @throws Error when the text is not a manifest */
export function parseManifest(text: string): Manifest {
  const manifest = JSON.parse(text) as Partial<Manifest> | null;
  const { parley, createdAt, engine, size, rows, files } = manifest ?? {};
  const isManifest =
    typeof parley === 'string' &&
    typeof createdAt === 'string' &&
    (engine === 'sqlite' || engine === 'postgres') &&
    Number.isSafeInteger(size) &&
    isRecordOf('number', rows) &&
    isRecordOf('string', files);
  if (!isManifest) throw new Error('the text is not a manifest of a backup');
  return manifest as Manifest;
}

function isRecordOf(type: 'number' | 'string', value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === type);
}

/** Deletes a backup. A deletion that is cut off leaves an incomplete one, because the manifest goes first. */
export async function removeBackup(folder: string): Promise<void> {
  await rm(join(folder, MANIFEST), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/** The folder of a backup in a data directory. */
export function backupFolder(dataDir: string, name: string): string {
  return join(dataDir, BACKUPS, name);
}

/** The newest complete backup of a data directory. */
export async function latestBackup(dataDir: string): Promise<string | undefined> {
  return (await backupsOf(dataDir)).at(-1);
}

/** The complete backups of a data directory, oldest first. */
export function backupsOf(dataDir: string): Promise<string[]> {
  return backupsIn(join(dataDir, BACKUPS));
}

/** The complete backups in a folder of backups, oldest first. */
export async function backupsIn(parent: string): Promise<string[]> {
  const found: { folder: string; createdAt: string }[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    if (name.endsWith(PARTIAL)) continue;
    const folder = join(parent, name);
    const manifest = await readManifest(folder).catch(() => undefined);
    if (manifest) found.push({ folder, createdAt: manifest.createdAt });
  }
  return found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).map(({ folder }) => folder);
}

/** SHA-256 of a file, hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
