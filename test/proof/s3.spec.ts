// Files on an S3-compatible store, when the server is killed while it sends them.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { until } from '../contract/support/until.js';
import { startS3Server, type S3Request, type S3Server } from '../support/s3-server.js';
import { form, storedContents } from '../support/uploads.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

const BUCKET = 'uploads';
const VERA = idFromText('Vera');

jest.setTimeout(120_000);

let directory: string;
let s3: S3Server;
let env: ServerEnv;
let server: ServerProcess;
/** Acknowledged uploads: content by path. */
const acknowledged = new Map<string, string>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-s3-'));
  await mkdir(join(directory, 'characters'));
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
  s3 = await startS3Server();
  await s3.createBucket(BUCKET);
  env = { DATA_DIR: join(directory, 'data'), CHARACTERS_DIR: join(directory, 'characters'), ...s3.env, MEDIA_STORAGE: `s3://${BUCKET}/a` };
  server = await ServerProcess.start(env);
  await upload(large());
});
afterEach(() => {
  [s3.intercept, s3.delay] = [() => undefined, () => undefined];
});
afterAll(async () => {
  await killAll();
  await s3.close();
  await rm(directory, { recursive: true, force: true });
});

async function upload(content: string): Promise<void> {
  const response = await fetch(`${server.url}/api/media/agents/${VERA}/upload-media`, { method: 'POST', body: form(content, 'a.txt') });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { url: string } };
  acknowledged.set(data.url, content);
}

const large = (): string => randomBytes(3_000_000).toString('hex');

/** The moments at which the server is killed: when it has sent such a request, which is carried out or not, and never answered. */
const MOMENTS: [words: string, moment: (request: S3Request) => boolean, done: boolean, rows: number][] = [
  ['between two parts', ({ method, url }) => method === 'PUT' && url.includes('partNumber=2'), false, 0],
  ['when the file is stored and its row is not', ({ method, url }) => method === 'POST' && url.includes('uploadId'), true, 0],
  ['before the upload is acknowledged', ({ method, url }) => method === 'GET' && url.includes('gone%2F'), false, 1],
];

it.each(MOMENTS)('keeps acknowledged files and nothing else: %s', async (_, moment, done, unacknowledged) => {
  await upload(`a small file ${acknowledged.size}`);
  const reached = new Promise<void>((resolve) => {
    // The server that asked does not live to see the answer.
    const wait = async (request: S3Request): Promise<undefined> => {
      if (!moment(request)) return;
      resolve();
      await new Promise(() => undefined);
    };
    if (done) s3.delay = wait;
    else s3.intercept = wait;
  });
  const cut = upload(large()).then(
    () => 'acknowledged',
    () => 'cut off',
  );
  await reached;
  await server.kill();
  const fate = await cut;
  [s3.intercept, s3.delay] = [() => undefined, () => undefined];
  server = await ServerProcess.start(env);
  expect(fate).toBe('cut off');
  const hashes = [...acknowledged.values()].map((content) => createHash('sha256').update(content).digest('hex'));
  const rows = new Set(hashes.map((hash) => `a/${hash.slice(0, 2)}/${hash}`));
  // Contents without a row are deleted soon after the start. A committed row that was not acknowledged keeps its content.
  const others = async (): Promise<string[]> => (await s3.keys(BUCKET)).filter((key) => !rows.has(key) && key !== 'a/installation');
  await until(async () => (await others()).length <= unacknowledged);
  expect(await s3.uploads(BUCKET)).toEqual([]);
  expect(await storedContents(join(directory, 'data', 'media'))).toEqual([]);
  for (const [path, content] of acknowledged) expect((await (await fetch(server.url + path)).text()) === content).toBe(true);
});
