import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock, type Clock } from '../../src/core/clock/index.js';
import { loadConfig } from '../../src/core/config/index.js';
import { AppError } from '../../src/core/errors/index.js';
import { Contents, openFileStorage, type FileStorage } from '../../src/providers/storage/index.js';
import { describeFileStorage } from '../support/describe-file-storage.js';
import { FakeClock } from '../support/fake-clock.js';
import { startS3Server, type S3Server } from '../support/s3-server.js';
// Modules define their own settings and error codes.
import '../../src/app.module.js';

const HOUR = 3_600_000;
const CONTENT = Buffer.from('The quick brown fox jumps over the lazy dog.');
const HASH = createHash('sha256').update(CONTENT).digest('hex');
const KEY = `files/${HASH.slice(0, 2)}/${HASH}`;

let server: S3Server;
let folder: string;
let bucket: string;
const opened: FileStorage[] = [];

beforeAll(async () => {
  server = await startS3Server();
  folder = await mkdtemp(join(tmpdir(), 'parley-s3-media-'));
});
afterEach(() => {
  server.intercept = () => undefined;
});
afterAll(async () => {
  for (const storage of opened) await storage.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(clock: Clock = new SystemClock(), more: Record<string, string> = {}, of = server): Promise<FileStorage> {
  const env = { ...of.env, MEDIA_STORAGE: `s3://${bucket}/files`, MEDIA_DIR: join(folder, `disk-${opened.length}`), ...more };
  const storage = await openFileStorage(loadConfig(env, '0'), clock);
  opened.push(storage);
  return storage;
}

async function create(clock?: Clock, more?: Record<string, string>): Promise<FileStorage> {
  bucket = `bucket-${opened.length}`;
  await server.createBucket(bucket);
  return open(clock, more);
}

async function keep(storage: FileStorage, content: Uint8Array = CONTENT): Promise<void> {
  await (await storage.receive(content)).persist();
}

describeFileStorage('an S3-compatible store', create);

describe('several servers with one store', () => {
  it('read what another has stored', async () => {
    const [first, second] = [await create(), await open()];
    await keep(first);
    expect((await buffer(await second.read(HASH, { start: 4, end: 8 }))).toString()).toBe('quick');
  });

  it('refuse content that another is about to delete, and accept it later', async () => {
    const [first, second] = [await create(), await open()];
    await keep(first);
    const rows = new Set<string>();
    const contents = new Contents(second);
    const add = async (): Promise<void> =>
      contents.keep(
        await second.receive(CONTENT),
        async () => void rows.add(HASH),
        async () => void rows.delete(HASH),
      );
    let refused: unknown;
    server.intercept = async ({ method, url }) => {
      // The first has found no row and has not deleted yet.
      if (method === 'DELETE' && url.includes(KEY)) refused ??= await add().catch((error: unknown) => error);
      return undefined;
    };
    expect(await first.removeUnlessReferenced(HASH, async () => rows.has(HASH))).toBe(true);
    expect(refused).toMatchObject({ code: 'STORAGE_UNAVAILABLE', details: 'Send it again.' });
    expect([rows.size, await second.stat(HASH)]).toEqual([0, undefined]);
    await add();
    expect([rows.size, await second.stat(HASH)]).toEqual([1, { size: CONTENT.length }]);
  });

  it('refuse content that two others delete, until the last one has finished', async () => {
    const [first, second, third] = [await create(), await open(), await open()];
    await keep(first);
    let refused: unknown;
    let held = false;
    server.intercept = async ({ method, url }) => {
      if (held || method !== 'DELETE' || !url.includes(KEY)) return undefined;
      held = true;
      expect(await third.removeUnlessReferenced(HASH, async () => false)).toBe(true);
      await keep(second);
      refused = await second.stat(HASH);
      return undefined;
    };
    expect(await first.removeUnlessReferenced(HASH, async () => false)).toBe(true);
    // It was there and would have been lost.
    expect([held, refused, await second.stat(HASH)]).toEqual([true, undefined, undefined]);
  });
});

it('a store belongs to one installation, because another would delete its files', async () => {
  const storage = await create();
  await storage.claim('one');
  await (await open()).claim('one');
  await expect((await open()).claim('another')).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('files of another installation'),
  });
});

describe('leftovers', () => {
  it('of other servers are deleted once they are old', async () => {
    const clock = new FakeClock(Date.now());
    const storage = await create(clock);
    await keep(storage);
    // Killed while it deletes: the content stays hidden, in case that the store still deletes it.
    server.intercept = ({ method, url }) => (method === 'DELETE' && url.includes(KEY) ? { status: 503, code: 'SlowDown' } : undefined);
    await expect(storage.removeUnlessReferenced(HASH, async () => false)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    server.intercept = ({ method, url }) =>
      method === 'DELETE' || url.includes('partNumber=2') ? { status: 403, code: 'AccessDenied' } : undefined;
    await expect(keep(storage, randomBytes(6_000_000))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    server.intercept = () => undefined;
    expect([await storage.stat(HASH), (await server.uploads(bucket)).length]).toEqual([undefined, 1]);
    await storage.removeLeftovers(false);
    expect([await storage.stat(HASH), (await server.uploads(bucket)).length]).toEqual([undefined, 1]);
    clock.advance(2 * HOUR);
    await storage.removeLeftovers(false);
    expect([await storage.stat(HASH), (await server.uploads(bucket)).length]).toEqual([{ size: CONTENT.length }, 1]);
    clock.advance(5 * HOUR);
    await storage.removeLeftovers(false);
    expect(await server.uploads(bucket)).toEqual([]);
    expect(await server.keys(bucket)).toEqual([KEY]);
  });

  it('are left to a store that cannot list them, and the upload reports its error', async () => {
    const simple = await startS3Server({ complete: false });
    try {
      bucket = 'simple';
      await simple.createBucket(bucket);
      const storage = await open(undefined, {}, simple);
      simple.intercept = ({ url }) => (url.includes('partNumber=2') ? { status: 403, code: 'AccessDenied' } : undefined);
      await expect(keep(storage, randomBytes(6_000_000))).rejects.toMatchObject({
        cause: { message: expect.stringContaining('AccessDenied') },
      });
      await storage.removeLeftovers(true);
      expect((await simple.uploads(bucket)).length).toBe(1);
    } finally {
      await simple.close();
    }
  });
});

it('an upload that the store refuses midway is aborted', async () => {
  const storage = await create();
  server.intercept = ({ url }) => (url.includes('partNumber=2') ? { status: 403, code: 'AccessDenied' } : undefined);
  await expect(keep(storage, randomBytes(6_000_000))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect([await server.uploads(bucket), await server.keys(bucket)]).toEqual([[], []]);
});

it('damaged content never passes for complete', async () => {
  const storage = await create();
  await keep(storage);
  await server.replace(bucket, KEY, Buffer.from(CONTENT.toString().replace('quick', 'QUICK')));
  const seen: Buffer[] = [];
  const read = async (): Promise<void> => {
    for await (const chunk of await storage.read(HASH)) seen.push(chunk as Buffer);
  };
  await expect(read()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', message: expect.stringContaining('damaged') });
  expect(Buffer.concat(seen).length).toBeLessThan(CONTENT.length);
});

it('the connection of unread content is closed', async () => {
  const storage = await create();
  const content = randomBytes(3_000_000);
  await keep(storage, content);
  const hash = createHash('sha256').update(content).digest('hex');
  // More than the connections that there are.
  for (let round = 0; round < 70; round += 1) (await storage.read(hash)).destroy();
  expect((await buffer(await storage.read(hash))).length).toBe(content.length);
});

it('a database error is not reported as a store error', async () => {
  const storage = await create();
  await keep(storage);
  const failing = new AppError('STORAGE_UNAVAILABLE', 'The database is not writable.');
  await expect(storage.removeUnlessReferenced(HASH, () => Promise.reject(failing))).rejects.toBe(failing);
  expect([storage.fault, await storage.stat(HASH)]).toEqual([undefined, { size: CONTENT.length }]);
});

it('the encryption setting is sent to the store', async () => {
  const storage = await create(undefined, { S3_SERVER_SIDE_ENCRYPTION: 'aws:kms', S3_KMS_KEY_ID: 'a-key' });
  server.requests.length = 0;
  await keep(storage);
  const sent = server.requests.find(({ method, url }) => method === 'PUT' && url.includes(KEY));
  expect(sent?.headers).toMatchObject({
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': 'a-key',
  });
});

it('a partial upload leaves nothing in the store', async () => {
  const storage = await create();
  server.requests.length = 0;
  const cut = Readable.from(
    (function* () {
      yield CONTENT;
      throw new Error('cut off');
    })(),
  );
  await expect(storage.receive(cut)).rejects.toThrow('cut off');
  expect(server.requests).toEqual([]);
});

describe('an unusable store', () => {
  it.each([
    ['no bucket', { MEDIA_STORAGE: 's3://no-such-bucket' }, /s3:\/\/no-such-bucket\/ .*NoSuchBucket/, /Create the bucket/],
    ['no server', { S3_ENDPOINT: 'http://127.0.0.1:1' }, /ECONNREFUSED/, /Check S3_ENDPOINT/],
    ['half a credential', { S3_SECRET_ACCESS_KEY: '' }, /S3_ACCESS_KEY_ID is set, but S3_SECRET_ACCESS_KEY is not/, /Set both/],
  ])('is explained: %s', async (_, more, message, details) => {
    await expect(open(undefined, more)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      details: expect.stringMatching(details),
    });
  });

  it.each([
    [403, 'AccessDenied', /Allow the credentials to list, read, write and delete/],
    [301, 'PermanentRedirect', /set S3_REGION/],
    [403, 'SignatureDoesNotMatch', /Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/],
  ])('is explained: %s %s', async (status, code, details) => {
    server.intercept = ({ method }) => (method === 'PUT' ? { status, code } : undefined);
    await expect(create()).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringContaining(code),
      details: expect.stringMatching(details),
    });
  });

  it('is named by its address when it is not a store', () => {
    expect(() => loadConfig({ MEDIA_STORAGE: 'bucket' }, '0')).toThrow(
      expect.objectContaining({ details: expect.stringMatching(/^MEDIA_STORAGE must be an address such as s3:\/\/bucket/) }),
    );
  });
});
