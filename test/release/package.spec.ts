// The package as npm would publish it: its contents, and that it runs from its own folder and leaves that folder alone. `npm run release:check`
// installs the real archive.
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { ApiClient } from '../support/api-client.js';
import { killAll, ServerProcess } from '../crash/support/server-process.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** With four mistakes, which types that are `any` would hide. */
const TYPED_PLUGIN = `import { definePlugin } from 'parley-server/plugin-sdk';
import { callRoute } from 'parley-server/plugin-sdk/testing';

const plugin = definePlugin({
  name: 'typed',
  routes: [
    {
      type: 'GET',
      path: '/typed/:who',
      handler(request, response, runtime) {
        const name: string = runtime.character.name;
        const wrong: number = runtime.character.name;
        response.json({ who: request.params['who'], name, wrong });
      },
    },
    { type: 'POST', path: '/typed', webhook: { verify: 'github', secret: 'S', mod: 'ack' }, handler: () => undefined },
  ],
});
definePlugin({ name: 'misspelt', action: [] });

const { status } = await callRoute(plugin, { path: '/typed/Ada' });
export const text: string = status;
`;

interface Decoded {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate: number;
}

let directory: string;
/** As npx and `npm install` lay it out, below a folder with a space in its name. */
let home: string;
let installed: string;
let files: string[];
let size: number;

beforeAll(async () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 1e7 });
  const [packed] = JSON.parse(stdout) as [{ size: number; files: { path: string }[] }];
  ({ size } = packed);
  files = packed.files.map(({ path }) => path);
  directory = await mkdtemp(join(tmpdir(), 'parley-package-'));
  home = join(directory, 'my home');
  installed = join(home, 'node_modules', 'parley-server');
  for (const file of files) await cp(join(ROOT, file), join(installed, file));
  await symlink(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
});

afterAll(async () => {
  await killAll();
  await rm(directory, { recursive: true, force: true });
});

const main = (): string => join(installed, 'dist', 'main.js');

/** Every file of the installed package with the time of its last change. */
async function snapshot(): Promise<string[]> {
  const top = (await readdir(installed)).filter((name) => name !== 'node_modules');
  const below = await Promise.all(
    top.map(async (name) => {
      const path = join(installed, name);
      return (await stat(path)).isDirectory() ? (await readdir(path, { recursive: true })).map((each) => join(name, each)) : [];
    }),
  );
  return Promise.all([...top, ...below.flat()].map(async (name) => `${name} ${(await stat(join(installed, name))).mtimeMs}`));
}

async function ask(api: ApiClient, agentName: string, content: string): Promise<string> {
  const { agents } = (await api.get('/api/agents')).body.data;
  const agent = agents.find(({ name }: { name: string }) => name === agentName);
  const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: agent.id, userId: randomUUID() })).body;
  return (await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' })).body.agentResponse.text;
}

describe('the package', () => {
  it('contains the files of the program only, in less than 5 MB', async () => {
    const script = pathToFileURL(join(ROOT, 'scripts/release/contents.mjs')).href;
    const { contentFaults, MAX_BYTES } = (await import(script)) as {
      contentFaults: (files: string[], root: string) => string[];
      MAX_BYTES: number;
    };
    expect(contentFaults(files, ROOT)).toEqual([]);
    expect(size).toBeLessThan(MAX_BYTES);
    const unwanted = ['src/main.ts', 'dist/bundle/program.js.map', 'plugins/file-intake/file-intake.spec.ts'];
    const worker = 'dist/modules/knowledge/readers/reader.worker.js';
    expect(contentFaults(files.filter((file) => file !== worker).concat(unwanted), ROOT)).toEqual([
      ...unwanted.map((file) => `${file} does not belong into the package`),
      `dist/modules/knowledge/document-reader.js reads ${worker}, which is missing`,
    ]);
  });

  it('started in an empty folder, brings agents and the console, loads no plugin, and writes into that folder only', async () => {
    const before = await snapshot();
    const empty = join(directory, 'empty');
    await mkdir(empty);
    const server = await ServerProcess.start({ DATA_DIR: join(empty, 'data'), PLUGINS_DIR: undefined }, undefined, main());
    const api = new ApiClient(() => server.url);
    expect(await ask(api, 'Iris', 'What is SHUTDOWN_GRACE_MS?')).toMatch(
      /See \[docs\/reference\/config\.md, "core"\]\(\/docs\/reference\/config\.md#core\)/,
    );
    const page = await fetch(server.url, { headers: { accept: 'text/html' } });
    const [script] = /\/console-assets\/[\w.-]+\.js/.exec(await page.text()) ?? [];
    expect((await fetch(server.url + script)).status).toBe(200);
    expect((await api.get('/api/plugins')).body.data.plugins).toEqual([]);
    const { agents } = (await api.get('/api/agents')).body.data;
    expect((await api.post(`/api/audio/${agents[0].id}/speech/generate`, { text: 'Hello.' })).status).toBe(200);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(await readdir(empty)).toEqual(['data']);
    expect(await snapshot()).toEqual(before);
  });

  it('loads an example on request', async () => {
    const PLUGINS = join(installed, 'plugins', 'static-pages');
    await mkdir(join(directory, 'asked'));
    const server = await ServerProcess.start({ DATA_DIR: join(directory, 'asked', 'data'), PLUGINS }, undefined, main());
    await server.printed(/^plugins static-pages$/m);
    expect((await fetch(`${server.url}/static-pages/index.html`)).status).toBe(200);
    await server.stop();
  });

  it('decodes WebM without its build-time package', async () => {
    const address = pathToFileURL(join(installed, 'dist/providers/speech/workers/decode-webm.js')).href;
    const { decoder } = (await import(address)) as { decoder: () => Promise<{ decode: (bytes: Uint8Array) => Promise<Decoded> }> };
    const { channelData, sampleRate } = await (await decoder()).decode(await readFile(join(ROOT, 'test/fixtures/audio/speech.webm')));
    expect((channelData[0]?.length ?? 0) / sampleRate).toBeGreaterThan(1);
    expect(await readFile(join(installed, 'dist/providers/speech/workers/decoder.worker.js'), 'utf8')).toContain('./decode-webm.js');
  });

  it('writes a project whose test passes and that starts with its own agent and plugin', async () => {
    const run = (args: string[], cwd: string): { status: number | null; stdout: string } =>
      spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    expect(run([main(), 'init', 'agents'], home)).toMatchObject({ status: 0 });
    const project = join(home, 'agents');
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))).toMatchObject({
      name: 'agents',
      scripts: { start: 'exec parley-server', test: 'node --test' },
      dependencies: { 'parley-server': version },
    });
    // npm records where an installed package came from.
    const archive = join(home, 'parley-server.tgz');
    const record = { packages: { 'node_modules/parley-server': { version, resolved: 'file:parley-server.tgz' } } };
    await writeFile(join(home, 'node_modules/.package-lock.json'), JSON.stringify(record));
    expect(run([main(), 'init', 'from-archive'], home)).toMatchObject({ status: 0 });
    expect(JSON.parse(await readFile(join(home, 'from-archive/package.json'), 'utf8'))).toMatchObject({
      dependencies: { 'parley-server': `file:${archive}` },
    });
    const tested = run(['--test'], project);
    expect({ status: tested.status, passed: /pass (\d+)/.exec(tested.stdout)?.[1] }).toEqual({ status: 0, passed: '4' });
    const server = await ServerProcess.start({ DATA_DIR: join(project, 'data') }, undefined, main());
    await server.printed(/^agents\n {2}Juno \(active\) \S+$/m);
    expect(await (await fetch(`${server.url}/hello/Ada`)).json()).toEqual({ message: 'Hello, Ada. This is Juno.' });
    expect(await ask(new ApiClient(() => server.url), 'Juno', 'Which file contains your character?')).toContain('characters/juno.json');
    await server.stop();
  });

  it('has types for plugins in TypeScript', async () => {
    const project = join(home, 'typed');
    await mkdir(project);
    await writeFile(join(project, 'plugin.ts'), TYPED_PLUGIN);
    const compilerOptions = {
      module: 'nodenext',
      strict: true,
      noEmit: true,
      typeRoots: [join(ROOT, 'node_modules/@types')],
      types: ['node'],
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['plugin.ts'] }));
    await writeFile(join(project, 'package.json'), '{"type":"module"}');
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: project, encoding: 'utf8' });
    const faults = stdout.trim().split('\n');
    expect(faults).toEqual([
      expect.stringMatching(/^plugin\.ts\(12,.*'string' is not assignable to type 'number'/),
      expect.stringMatching(/^plugin\.ts\(16,.*'mod' does not exist/),
      expect.stringMatching(/^plugin\.ts\(19,.*'action' does not exist.*Did you mean to write 'actions'/),
      expect.stringMatching(/^plugin\.ts\(22,.*'number' is not assignable to type 'string'/),
    ]);
  });
});
