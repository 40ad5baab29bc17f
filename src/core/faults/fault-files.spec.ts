import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { faultName, listFaults, storeFault } from './fault-files.js';

const KEEP = 3;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-faults-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('the folder never holds more than FAULT_RECORDS records, also not for a moment', async () => {
  let most = 0;
  const watching = new AbortController();
  const watched = (async () => {
    while (!watching.signal.aborted) most = Math.max(most, (await listFaults(folder)).length);
  })();
  for (let at = 1; at <= 100; at += 1) await storeFault(folder, faultName('error', at), '{}', KEEP);
  watching.abort();
  await watched;
  expect(most).toBe(KEEP);
  expect(await listFaults(folder)).toEqual([98, 99, 100].map((at) => faultName('error', at)));
});
