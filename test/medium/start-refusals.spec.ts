// What keeps the server from starting: the reason and the way out in one line, and nothing left in the way of the next start.
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { runServer } from '../../src/bootstrap/run-server.js';
import { oneLine } from '../../src/cli/one-line.js';
import { loadConfig } from '../../src/core/config/index.js';
import { AppError } from '../../src/core/errors/index.js';

let directory: string;
let env: Record<string, string>;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-refusals-'));
  env = {
    DATA_DIR: join(directory, 'data'),
    CHARACTERS_DIR: join(directory, 'characters'),
    PLUGINS_DIR: join(directory, 'plugins'),
    SERVER_PORT: '0',
    EMBEDDING_PROVIDER: 'none',
    LOG_LEVEL: 'silent',
  };
  await mkdir(join(directory, 'characters'));
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function expectRefusal(faulty: Record<string, string>, ...reasons: RegExp[]): Promise<void> {
  const line = await (async () => (await runServer(loadConfig({ ...env, ...faulty }, '0.0.0'))).stop())().then(
    () => 'it started',
    (error: unknown) => (error instanceof AppError ? oneLine(error) : Promise.reject(error as Error)),
  );
  expect(line).not.toContain('\n');
  for (const reason of reasons) expect(line).toMatch(reason);
}

async function expectStart(good: Record<string, string> = {}): Promise<void> {
  const server = await runServer(loadConfig({ ...env, ...good }, '0.0.0'));
  expect((await fetch(`${server.url.replace('0.0.0.0', '127.0.0.1')}/healthz`)).status).toBe(200);
  await server.stop();
}

it('reports a port in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expectRefusal({ SERVER_PORT: String(port) }, new RegExp(`127\\.0\\.0\\.1:${port}`), /the port is in use/, /SERVER_PORT/);
  other.close();
  await expectStart();
});

it('reports a path that is not a data directory', async () => {
  await writeFile(join(directory, 'file'), 'not a directory');
  await expectRefusal({ DATA_DIR: join(directory, 'file') }, /data directory .*file cannot be used/, /DATA_DIR/);
  await expectStart();
});

it('reports a file that is not a database', async () => {
  const path = join(env['DATA_DIR']!, 'parley.sqlite');
  await mkdir(env['DATA_DIR']!);
  await writeFile(path, 'no database at all, but long enough to be looked at as one. '.repeat(20));
  await expectRefusal({}, /parley\.sqlite cannot be opened/, /parley-server restore latest/);
  await rm(path);
  await expectStart();
});

it('names a provider without its key once', async () => {
  await expectRefusal({ SPEECH_PROVIDER: 'elevenlabs' }, /^ELEVENLABS_API_KEY must be set for [^.]+\.$/);
});

it('reports a path that is not a folder of uploads', async () => {
  await writeFile(join(directory, 'file'), 'not a directory');
  await expectRefusal({ MEDIA_DIR: join(directory, 'file') }, /file of uploaded files cannot be read \(ENOTDIR\)/, /MEDIA_DIR/);
  await expectStart();
});

it('refuses to listen beyond this machine without a key [auth.loopback]', async () => {
  await expectRefusal({ SERVER_HOST: '0.0.0.0' }, /API_KEY must be set to listen on 0\.0\.0\.0/);
  await expectStart({ SERVER_HOST: '0.0.0.0', API_KEY: 'key' });
});
