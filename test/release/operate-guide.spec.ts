// The examples of the guides for operators, as pasted: in their order, in a folder of an operator, against a server and an S3 server.
// Examples that need what a test does not have say so behind `sh`: `on=docker`.
import { execFile } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { startS3Server, type S3Server } from '../support/s3-server.js';
import { form } from '../support/uploads.js';

jest.setTimeout(300_000);

const ROOT = resolve(import.meta.dirname, '../..');
const GUIDES = ['install', 'deploy', 'backups', 'upgrade', 'monitor', 'fleet', 'user-data', 'troubleshoot'];
/** What this test does not have; other checks try it (`deploy:check`, test/cluster, `release:check`). */
const ELSEWHERE = ['systemd', 'docker', 'kubernetes', 'caddy', 'registry', 'postgres', 'elizaos'];
const USER_ID = '5b0d3f0e-6a53-4c8e-9d0a-0f5f0a3a3b11';
const run = promisify(execFile);

interface Example {
  readonly language: string;
  /** Behind the language, such as `stopped`. */
  readonly info: string;
  readonly text: string;
}

let examples: Example[];
let folder: string;
let s3: S3Server;
let env: { DATA_DIR: string; [name: string]: string };

beforeAll(async () => {
  const texts = await Promise.all(GUIDES.map((name) => readFile(join(ROOT, 'docs/guides', `${name}.md`), 'utf8')));
  examples = [...texts.join('\n').matchAll(/^( *)```(sh|ini)(?: ([\w=]+))?\n([\s\S]*?)^\1```$/gm)].map(
    ([, , language = '', info = '', text = '']) => ({
      language,
      info,
      text: text.replace(/^ {3}(?=\S)/gm, ''),
    }),
  );
  folder = await mkdtemp(join(tmpdir(), 'parley-operate-'));
  for (const name of ['bin', 'characters', 'plugins']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'characters/vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
  await writeFile(join(folder, 'bin/parley'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'dist/main.js')}" "$@"\n`);
  await chmod(join(folder, 'bin/parley'), 0o755);
  s3 = await startS3Server();
  for (const bucket of ['bucket', 'my-bucket']) await s3.createBucket(bucket);
  env = {
    PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    DATA_DIR: join(folder, 'data'),
    CHARACTERS_DIR: join(folder, 'characters'),
    PLUGINS_DIR: join(folder, 'plugins'),
    SERVER_PORT: String(await freePort()),
    API_KEY: 'the-key-of-an-operator-in-the-tests',
    LOG_LEVEL: 'fatal',
    ...s3.env,
  };
});
afterAll(async () => {
  await killAll();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

/** A server that the guide starts itself has to be told its port before. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

/** Runs an example in bash, which ends at the first command that fails, with places of this machine in place of those of the guide. */
async function pasted(text: string, more: Record<string, string> = {}): Promise<string> {
  const url = more['SERVER_URL'] ?? `http://127.0.0.1:${env['SERVER_PORT']}`;
  const here = text
    .replaceAll('/mnt/copy', join(folder, 'copy'))
    .replaceAll('/var/lib/parley/media', join(folder, 'data/media'))
    .replaceAll(/(?:http:\/\/)?(?:localhost|127\.0\.0\.1):3000/g, url);
  const script = `set -eu -o pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true; wait || true' EXIT\n${here}`;
  try {
    const { stdout } = await run('bash', ['--norc', '-c', script], { cwd: folder, env: { ...env, ...more } });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`this example failed:\n${text}\n${stdout}\n${stderr}`, { cause: error });
  }
}

interface Answered {
  readonly sessionId: string;
  readonly data: { readonly agents: { readonly id: string }[]; readonly memories: { readonly id: string }[] };
}

const call = async (url: string, path: string, method = 'GET', body?: unknown): Promise<Answered> => {
  const headers = { 'x-api-key': env['API_KEY']!, ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }) };
  const sent = body instanceof FormData ? body : body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(url + path, { method, headers, body: sent });
  const result = (await answer.json()) as Answered;
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(result)}`);
  return result;
};

/** What the examples are about: an uploaded file, and a memory with a former version. @returns the variables that they use */
async function fill(url: string): Promise<Record<string, string>> {
  const { agents } = (await call(url, '/api/agents')).data;
  const AGENT = agents[0]!.id;
  await call(url, `/api/media/agents/${AGENT}/upload-media`, 'POST', form('a file', 'a.txt'));
  const { sessionId } = await call(url, '/api/messaging/sessions', 'POST', { agentId: AGENT, userId: USER_ID });
  await call(url, `/api/messaging/sessions/${sessionId}/messages`, 'POST', { content: 'My cat is called Otto.', transport: 'http' });
  const { memories } = (await call(url, `/api/agents/${AGENT}/memories`)).data;
  const MEMORY = memories[0]!.id;
  for (const text of ['one', 'two']) await call(url, `/api/memory/${AGENT}/memories/${MEMORY}`, 'PATCH', { content: { text } });
  return { AGENT, MEMORY, USER_ID, SERVER_URL: url };
}

it('the commands run as pasted', async () => {
  let server = await ServerProcess.start(env);
  let variables = await fill(server.url);
  let ran = 0;
  for (const { language, info, text } of examples) {
    if (language !== 'sh' || info.startsWith('on=')) continue;
    ran += 1;
    if (info === 'stopped') {
      await server.stop();
      await pasted(text);
      server = await ServerProcess.start(env);
      variables = { ...variables, SERVER_URL: server.url };
      continue;
    }
    expect(info).toBe('');
    const commands = text.includes('$REQUEST_ID') ? text.split(/^(?=.*\$REQUEST_ID)/m) : [text];
    let output = '';
    for (const command of commands) {
      const request = [...output.matchAll(/"requestId":"([^"]+)"/g)].at(-1)?.[1];
      output = await pasted(command, { ...variables, ...(request === undefined ? {} : { REQUEST_ID: request }) });
      expect(output).not.toContain('"success":false');
    }
  }
  expect(ran).toBe(9);
});

it('the commands are valid bash, and their files exist', async () => {
  for (const { language, info, text } of examples) {
    if (language !== 'sh') continue;
    await run('bash', ['--norc', '-n', '-c', text]);
    if (info.startsWith('on=')) expect(ELSEWHERE).toContain(info.slice('on='.length));
    for (const [path] of text.matchAll(/\bdeploy\/[\w./-]*\w/g)) await access(join(ROOT, path));
  }
});

it('the settings are valid', async () => {
  for (const { language, text } of examples) {
    if (language !== 'ini') continue;
    await writeFile(join(folder, 'settings.env'), text);
    const { stdout } = await run('parley', ['doctor', '--json'], {
      cwd: folder,
      env: { ...env, ENV_FILE: join(folder, 'settings.env') },
    }).catch((error: { stdout: string }) => error);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; message: string }[] };
    expect(findings.filter(({ check }) => check === 'configuration')).toEqual([]);
  }
});
