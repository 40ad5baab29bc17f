import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';

const run = promisify(execFile);
const CHUNK = 64 * 1024;
// https://manpages.debian.org/e2fsck: 1 is "file system errors corrected".
const CORRECTED = 1;

/**
 * Looks at a copy of a disk as the power failure left it: the file system is in order once its journal is replayed, and so is a SQLite
 * database that is opened there.
 *
 * @returns what is not in order
 */
export async function checkDisk(content: Buffer, directory: string): Promise<string[]> {
  const folder = await mkdtemp(join(directory, 'check-'));
  try {
    const image = join(folder, 'data.img');
    await writeSparse(image, content);
    const journal = await exitOf('/usr/sbin/e2fsck', ['-p', image]);
    if (journal.code > CORRECTED) return [`the file system cannot be recovered: e2fsck ${journal.code}\n${journal.output}`];
    const whole = await exitOf('/usr/sbin/e2fsck', ['-f', '-n', image]);
    if (whole.code !== 0) return [`the file system is damaged: e2fsck ${whole.code}\n${whole.output}`];
    const files = join(folder, 'files');
    await mkdir(files);
    await run('/usr/sbin/debugfs', ['-R', `rdump /parley ${files}`, image]);
    return await checkDatabase(join(files, 'parley/parley.sqlite'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkDatabase(path: string): Promise<string[]> {
  const faults: string[] = [];
  const database = await new Promise<sqlite3.Database | undefined>((resolve) => {
    const opened: sqlite3.Database = new sqlite3.Database(path, sqlite3.OPEN_READWRITE, (error) => resolve(error ? undefined : opened));
  });
  // The power failed before the server created it, or the server uses PostgreSQL.
  if (database === undefined) return [];
  for (const pragma of ['integrity_check', 'foreign_key_check']) {
    const rows = await new Promise<unknown[]>((resolve) => {
      database.all(`PRAGMA ${pragma}`, (error: Error | null, found: unknown[]) => resolve(error ? [String(error)] : found));
    });
    const text = JSON.stringify(rows);
    if (text !== '[]' && text !== '[{"integrity_check":"ok"}]') faults.push(`the database fails PRAGMA ${pragma}: ${text.slice(0, 1000)}`);
  }
  await new Promise((resolve) => database.close(resolve));
  return faults;
}

async function writeSparse(path: string, content: Buffer): Promise<void> {
  const zeroes = Buffer.alloc(CHUNK);
  const file = await open(path, 'w');
  try {
    await file.truncate(content.length);
    for (let at = 0; at < content.length; at += CHUNK) {
      const chunk = content.subarray(at, at + CHUNK);
      if (!chunk.equals(zeroes)) await file.write(chunk, 0, chunk.length, at);
    }
  } finally {
    await file.close();
  }
}

async function exitOf(program: string, args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await run(program, args);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { code, output: `${stdout ?? ''}${stderr ?? ''}` };
  }
}
