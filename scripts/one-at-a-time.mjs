// Lets one process at a time install or build in this folder. Only Node.js itself is used: nothing is installed yet.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;

/**
 * Runs `work` when no other process runs work of this kind in `root`. A process that was killed holds up no other.
 *
 * @param root the folder in which the lock is, as `.preparing`
 * @param signal ends the wait, which then rejects
 */
export async function oneAtATime(root, work, signal) {
  const lock = join(root, '.preparing');
  while (!taken(lock)) await delay(POLL_MS, undefined, { signal });
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @returns whether this process holds the lock now */
function taken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = Number(contentOf(lock));
  // Empty for a moment after it was made; a number of a process that has ended stays there.
  if (holder !== 0 && !runs(holder)) rmSync(lock, { force: true });
  return false;
}

function contentOf(lock) {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
}

function runs(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
