import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { loadConfig, type Config } from '../../src/core/config/index.js';
import { S3Objects } from '../../src/providers/storage/index.js';
import { startS3Server, type S3Server } from '../support/s3-server.js';

let server: S3Server;
let objects: S3Objects;
let buckets = 0;

beforeAll(async () => {
  server = await startS3Server();
});
afterAll(async () => {
  objects.close();
  await server.close();
});

const bucket = (): string => `bucket-${buckets}`;
const settings = (more: Record<string, string> = {}): Config =>
  loadConfig({ ...server.env, MEDIA_STORAGE: `s3://${bucket()}/some/folder`, ...more }, '0');
const open = async (more: Record<string, string> = {}): Promise<S3Objects> => {
  const config = settings(more);
  return S3Objects.open(config, config.mediaStorage!);
};

beforeEach(async () => {
  buckets += 1;
  server.intercept = () => undefined;
  server.requests.length = 0;
  await server.createBucket(bucket());
  objects = await open();
});

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

it('stores, reads, lists and deletes objects below its prefix', async () => {
  await server.createBucket('other');
  await objects.put('a/one', Buffer.from('first'));
  await objects.put('b/two', Readable.from([Buffer.from('sec'), Buffer.from('ond')]));
  expect(await server.keys(bucket())).toEqual(['some/folder/a/one', 'some/folder/b/two']);
  expect((await buffer((await objects.get('b/two'))!)).toString()).toBe('second');
  expect((await buffer((await objects.get('b/two', { start: 1, end: 3 }))!)).toString()).toBe('eco');
  expect(await objects.stat('a/one')).toMatchObject({ key: 'a/one', size: 5 });
  expect((await collect(objects.list())).map(({ key }) => key)).toEqual(['a/one', 'b/two']);
  expect((await collect(objects.list('b/'))).map(({ key }) => key)).toEqual(['b/two']);
  await objects.delete('a/one');
  await objects.delete('a/one');
  expect(await objects.stat('a/one')).toBeUndefined();
  expect(await objects.get('a/one')).toBeUndefined();
});

it.each([
  ['known', 12_000_000],
  ['unknown', undefined],
])('sends a large content of %s size in parts', async (_, size) => {
  const content = randomBytes(12_000_000);
  await objects.put('large', Readable.from([content, Buffer.alloc(20_000_000)].slice(0, size === undefined ? 2 : 1)), { size });
  expect(server.requests.filter(({ method, url }) => method === 'PUT' && url.includes('partNumber')).length).toBeGreaterThan(1);
  const stored = await buffer((await objects.get('large'))!);
  expect(stored.subarray(0, content.length).equals(content)).toBe(true);
  expect(stored.length).toBe(size ?? 32_000_000);
});

it.each([
  ['a stream', () => Readable.from([])],
  ['bytes', () => new Uint8Array()],
])('stores empty %s', async (_, content) => {
  await objects.put('empty', content());
  expect(await objects.stat('empty')).toMatchObject({ size: 0 });
});
