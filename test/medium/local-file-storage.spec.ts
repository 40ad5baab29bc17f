import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/core/clock/index.js';
import { LocalFileStorage } from '../../src/providers/storage/local-file-storage.js';
import { describeFileStorage } from '../support/describe-file-storage.js';

const HASH = 'ab'.repeat(32);
const folders: string[] = [];

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'parley-storage-'));
  folders.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(folders.splice(0).map((path) => rm(path, { recursive: true, force: true })));
});

describeFileStorage('a local folder', async () => new LocalFileStorage(join(await folder(), 'media'), new SystemClock()));

it('reads the file ab/ab12… for the hash ab12…', async () => {
  const path = await folder();
  await mkdir(join(path, 'ab'));
  await writeFile(join(path, 'ab', HASH), 'stored');
  const storage = new LocalFileStorage(path, new SystemClock());
  expect((await buffer(await storage.read(HASH))).toString()).toBe('stored');
});

it('restores content whose deletion was interrupted', async () => {
  const path = await folder();
  await mkdir(join(path, 'ab'));
  await writeFile(join(path, 'ab', `${HASH}.gone`), 'hidden');
  const storage = new LocalFileStorage(path, new SystemClock());
  await storage.removeLeftovers(true);
  expect(await readdir(join(path, 'ab'))).toEqual([HASH]);
});
