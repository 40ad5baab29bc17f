import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors/index.js';

/** Name of the file that makes a folder a backup; written last, so a folder without it was never finished. */
export const MANIFEST = 'backup.json';
/** Folder of the backups inside a data directory. */
export const BACKUPS = 'backups';

/** What a backup says of itself. */
export interface Manifest {
  /** Version of the program that made it. */
  readonly parley: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly engine: 'sqlite' | 'postgres';
  /** Path inside the backup and SHA-256 of every file. */
  readonly files: Record<string, string>;
}

/** @throws AppError BACKUP_INVALID when the folder holds no finished backup */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest;
  } catch (error) {
    throw new AppError('BACKUP_INVALID', `${folder} holds no finished backup.`, `A backup is a folder with a ${MANIFEST} in it.`, error);
  }
}

/** The newest finished backup of a data directory. */
export async function latestBackup(dataDir: string): Promise<string | undefined> {
  return (await backupsOf(dataDir)).at(-1);
}

/** The finished backups of a data directory, the oldest first. */
export async function backupsOf(dataDir: string): Promise<string[]> {
  const found: { folder: string; createdAt: string }[] = [];
  const names = await readdir(join(dataDir, BACKUPS)).catch(() => []);
  for (const name of names) {
    const folder = join(dataDir, BACKUPS, name);
    const manifest = await readManifest(folder).catch(() => undefined);
    if (manifest) found.push({ folder, createdAt: manifest.createdAt });
  }
  return found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).map(({ folder }) => folder);
}

/** SHA-256 of a file, hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
