import { readdir, readFile, rm, writeFile, mkdir, rename } from 'node:fs/promises';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The kinds of faults: an error of the server, a stalled event loop, memory over its mark, stored data that contradicts itself. */
export type FaultKind = 'error' | 'stall' | 'memory' | 'invariant';

const NAME = /^\d{8}T\d{9}Z-(error|stall|memory|invariant)\.json$/;

/** The folder of the records of faults. */
export function faultsFolder(dataDir: string): string {
  return join(dataDir, 'faults');
}

/** Names of the records in a folder, oldest first; none when there is no folder. */
export async function listFaults(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => NAME.test(name)).sort();
}

/** @param at epoch ms */
export function faultName(kind: FaultKind, at: number): string {
  return `${new Date(at).toISOString().replace(/[-:.]/g, '')}-${kind}.json`;
}

/** When a record was made, from its name, epoch ms. */
export function faultTime(name: string): number {
  return Date.parse(name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'));
}

/** The text of a record. */
export function readFault(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8');
}

/**
 * Stores a record. Deletes the oldest ones first, so that the folder never holds more than `keep`.
 *
 * @param keep number of records, the new one included
 */
export async function storeFault(folder: string, name: string, record: string, keep: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(`${path}.part`, record);
  const names = await listFaults(folder);
  for (const oldest of names.slice(0, Math.max(0, names.length + 1 - keep))) await rm(join(folder, oldest), { force: true });
  await rename(`${path}.part`, path);
}

/** As `storeFault`, for a process that is about to end. Deletes nothing. */
export function storeFaultNow(folder: string, name: string, record: string): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(`${path}.part`, record);
  renameSync(`${path}.part`, path);
}
