// Two servers on one PostgreSQL database and one bucket, each with a disk of its own.
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { FileStorage } from '../../src/providers/storage/index.js';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { until } from '../contract/support/until.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { startS3Server, type S3Server } from '../support/s3-server.js';
import { form } from '../support/uploads.js';

const KEY = 'the key that both processes have, long enough';
const BUCKET = 'uploads';
const HOUR = 3_600_000;

let s3: S3Server;
let second: TestApp;
let first: ServerProcess;
let clock: FakeClock;

beforeEach(async () => {
  s3 = await startS3Server();
  await s3.createBucket(BUCKET);
  const env = { ...s3.env, MEDIA_STORAGE: `s3://${BUCKET}/fleet`, SECRET_KEY: KEY };
  clock = new FakeClock(Date.now());
  second = await createTestApp({ engine: 'postgres', env, clock });
  const { dataDir, databaseUrl, charactersDir } = second.config;
  first = await ServerProcess.start({ ...env, DATA_DIR: join(dataDir, 'first'), DATABASE_URL: databaseUrl, CHARACTERS_DIR: charactersDir });
});
afterEach(async () => {
  await killAll();
  await second.close();
  await s3.close();
});

const upload = async (content: string): Promise<string> => {
  const response = await fetch(`${first.url}/api/media/agents/${ADA.id}/upload-media`, { method: 'POST', body: form(content, 'a.txt') });
  return ((await response.json()) as { data: { url: string } }).data.url;
};
const keyOf = (content: string): string => {
  const hash = createHash('sha256').update(content).digest('hex');
  return `fleet/${hash.slice(0, 2)}/${hash}`;
};

it('one process serves files of the other, and cleans up after it was killed', async () => {
  const content = randomBytes(3_000_000).toString('hex');
  const url = await upload(content);
  const part = await fetch(second.url + url, { headers: { range: 'bytes=5500000-5500099' } });
  expect([part.status, await part.text()]).toEqual([206, content.slice(5_500_000, 5_500_100)]);

  const reached = new Promise<void>((resolve) => {
    s3.intercept = async ({ url: path }) => {
      if (path.includes('partNumber=2')) {
        resolve();
        await new Promise(() => undefined);
      }
      return undefined;
    };
  });
  const cut = upload(randomBytes(3_000_000).toString('hex')).catch(() => 'cut off');
  await reached;
  await first.kill();
  expect(await cut).toBe('cut off');
  s3.intercept = () => undefined;
  // It may still be in progress, as far as the other knows.
  await second.app.get(FileStorage).removeLeftovers(false);
  expect((await s3.uploads(BUCKET)).length).toBe(1);
  clock.advance(8 * HOUR);
  await until(async () => (await s3.uploads(BUCKET)).length === 0);
  expect(await s3.keys(BUCKET)).toEqual([keyOf(content), 'fleet/installation'].sort());
  expect((await (await fetch(second.url + url)).text()) === content).toBe(true);
});
