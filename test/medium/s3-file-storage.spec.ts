import { afterAll, beforeAll } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../src/core/clock/index.js';
import { loadConfig } from '../../src/core/config/index.js';
import { openFileStorage, type FileStorage } from '../../src/providers/storage/index.js';
import { describeFileStorage } from '../support/describe-file-storage.js';
import { startS3Server, type S3Server } from '../support/s3-server.js';
import '../../src/app.module.js';

let server: S3Server;
let folder: string;
const opened: FileStorage[] = [];

beforeAll(async () => {
  server = await startS3Server();
  folder = await mkdtemp(join(tmpdir(), 'parley-s3-media-'));
});
afterAll(async () => {
  for (const storage of opened) await storage.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function create(): Promise<FileStorage> {
  const bucket = `bucket-${opened.length}`;
  await server.createBucket(bucket);
  const env = { ...server.env, MEDIA_STORAGE: `s3://${bucket}/files`, MEDIA_DIR: join(folder, bucket) };
  const storage = await openFileStorage(loadConfig(env, '0'), new SystemClock());
  opened.push(storage);
  return storage;
}

describeFileStorage('an S3-compatible store', create);
