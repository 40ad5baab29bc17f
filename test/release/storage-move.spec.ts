// `parley storage move`: files from the folder to an S3-compatible store and back, as an operator moves them.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { startS3Server, type S3Server } from '../support/s3-server.js';
import { form, storedContents } from '../support/uploads.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

const MAIN = resolve(import.meta.dirname, '../../dist/main.js');
const VERA = idFromText('Vera');
const BUCKET = 'uploads';
const ADDRESS = `s3://${BUCKET}/a/`;

jest.setTimeout(120_000);

let directory: string;
let media: string;
let s3: S3Server;
let env: ServerEnv;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-move-'));
  media = join(directory, 'data', 'media');
  await mkdir(join(directory, 'characters'));
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
  s3 = await startS3Server();
  await s3.createBucket(BUCKET);
  env = { DATA_DIR: join(directory, 'data'), CHARACTERS_DIR: join(directory, 'characters'), ...s3.env };
});
afterAll(async () => {
  await killAll();
  await s3.close();
  await rm(directory, { recursive: true, force: true });
});

async function move(args: readonly string[], more: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [MAIN, 'storage', 'move', ...args], {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...env, ...more },
  });
  const result = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (result.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (result.err += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...result };
}

async function upload(server: ServerProcess, content: string): Promise<string> {
  const response = await fetch(`${server.url}/api/media/agents/${VERA}/upload-media`, { method: 'POST', body: form(content, 'a.txt') });
  return ((await response.json()) as { data: { url: string } }).data.url;
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');
const pathOf = (content: string): string => join(media, hashOf(content).slice(0, 2), hashOf(content));

it('moves all files while the server runs, resumes, and moves them back', async () => {
  let server = await ServerProcess.start(env);
  const urls = new Map<string, string>();
  for (const content of ['one', 'two', 'three', 'four']) urls.set(content, await upload(server, content));
  await rm(pathOf('four'));
  await writeFile(pathOf('three'), 'THREE');

  const first = await move(['--to', `s3://${BUCKET}/a`]);
  expect(first).toMatchObject({ code: 1, out: expect.stringContaining('3 files, 2 copied (0.0 MB), 0 were there, 1 failed.') });
  expect(first.err).toContain(`not copied: ${hashOf('three')}: it is damaged in the source`);
  expect(first.err).toContain('1 files that the database refers to are in neither place, and were missing before the move:');
  expect(first.err).toContain(`missing: ${hashOf('four')}`);

  await writeFile(pathOf('three'), 'three');
  const second = await move(['--to', `s3://${BUCKET}/a`]);
  expect(second).toMatchObject({ code: 0, out: expect.stringContaining('3 files, 1 copied (0.0 MB), 2 were there.') });
  expect(second.out).toContain(`Set MEDIA_STORAGE=${ADDRESS} for every server and restart them.`);
  expect((await s3.keys(BUCKET)).length).toBe(3);

  const late = await upload(server, 'late');
  expect(first.err + second.err).not.toContain('meanwhile');
  await server.stop();
  const onS3 = { MEDIA_STORAGE: `s3://${BUCKET}/a` };
  server = await ServerProcess.start({ ...env, ...onS3 });
  await server.printed(/MEDIA_DIR holds files that are not used/);
  // A copy that is damaged in the store is replaced before its original is deleted.
  await s3.replace(BUCKET, `a/${hashOf('one').slice(0, 2)}/${hashOf('one')}`, Buffer.from('eno'));
  const third = await move(['--from', media, '--to', ADDRESS, '--delete'], onS3);
  expect(third).toMatchObject({
    code: 0,
    out: expect.stringContaining('4 files, 2 copied (0.0 MB), 2 were there, 4 deleted from the old place.'),
  });
  expect(third.out).toContain(`With the present settings, the server uses ${ADDRESS}.`);
  expect(await storedContents(media)).toEqual([]);
  for (const [content, url] of [...urls, ['late', late] as const]) {
    const response = await fetch(server.url + url);
    expect(content === 'four' ? response.status : await response.text()).toBe(content === 'four' ? 404 : content);
  }

  const back = await move(['--to', media], onS3);
  expect(back).toMatchObject({ code: 0, out: expect.stringContaining('4 files, 4 copied') });
  expect(back.out).toContain(`Set MEDIA_DIR=${media} and unset MEDIA_STORAGE for every server`);
  expect((await storedContents(media)).sort()).toEqual(['one', 'two', 'three', 'late'].map(hashOf).sort());
  await server.stop();
});

it.each([
  [1, ['--to', `s3://${BUCKET}/a`, '--delete'], /^[^\n]* is where the server has its files\. Move without --delete[^\n]*\n$/],
  [2, ['--to', 's3://'], /--to must be an address such as s3:\/\/bucket/],
  [1, ['--to', 'data/media'], /^The files are in .*data\/media already[^\n]*\n$/],
])('exits with %i for %j', async (refusal, args, message) => {
  const { code, err } = await move(args);
  expect([code, err]).toEqual([refusal, expect.stringMatching(message)]);
});
