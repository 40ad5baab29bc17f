// Packs parley-client, unpacks it into an empty folder, and runs the programs of docs/guides/clients.md there as they stand.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { createTestApp, type TestApp } from '../support/create-test-app.js';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

let test: TestApp;
let folder: string;
let packed: string[];

beforeAll(async () => {
  test = await createTestApp({ characters: [{ name: 'Iris', bio: 'An agent of the tests.' }] });
  test.model.always(() => 'Otto, a good name.');
  folder = await mkdtemp(join(tmpdir(), 'parley-guide-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: join(ROOT, 'client') });
  const [archive] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  packed = archive.files.map(({ path }) => path);
  const target = join(folder, 'node_modules', 'parley-client');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', join(folder, archive.filename), '-C', target, '--strip-components=1']);
  await symlink(join(ROOT, 'node_modules/socket.io-client'), join(folder, 'node_modules/socket.io-client'));
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

it('the package contains its exports and its licence, and nothing else of the repository', () => {
  expect(packed).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/socket.js']));
  expect(packed.filter((path) => !/^(LICENSE|README\.md|package\.json|dist\/[\w-]+\.(js|d\.ts))$/.test(path))).toEqual([]);
});

describe('the guide', () => {
  it('shows working programs', async () => {
    const guide = await readFile(join(ROOT, 'docs/guides/clients.md'), 'utf8');
    const programs = [...guide.matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text ?? '');
    const outputs: string[] = [];
    for (const [index, program] of programs.entries()) {
      const file = join(folder, `program-${index}.mjs`);
      await writeFile(file, program.replaceAll('http://127.0.0.1:3000', test.url));
      outputs.push((await run(process.execPath, [file])).stdout);
    }
    expect(outputs.slice(0, 2)).toEqual(['Otto, a good name.\n', 'Otto, a good name.\n4 messages\n']);
    expect(outputs[2]).toMatch(/message\.created[^]*turn\.finished/);
    expect(outputs[3]).toMatch(/hasOlder: false[^]*What is my cat called\?/);
    expect(outputs).toHaveLength(4);
  });

  it('shows TypeScript programs that compile unchanged', async () => {
    const guide = await readFile(join(ROOT, 'docs/guides/clients.md'), 'utf8');
    const own = guide.split('## Generated clients')[0]!;
    const programs = [...own.matchAll(/^```(tsx?)\n(.*?)^```/gms)];
    for (const name of ['react', '@types', 'csstype', 'jose']) {
      await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
    await mkdir(join(folder, 'typed'));
    for (const [index, [, extension, program]] of programs.entries()) {
      await writeFile(join(folder, 'typed', `program-${index}.${extension}`), program!);
    }
    const dom = `declare module 'react-dom/client' { export function createRoot(container: Element): { render(page: unknown): void }; }`;
    await writeFile(join(folder, 'typed/react-dom.d.ts'), dom);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022', jsx: 'react-jsx' },
      ...{ types: [], lib: ['es2022', 'dom', 'dom.iterable'] },
    };
    await writeFile(join(folder, 'typed/tsconfig.json'), JSON.stringify({ compilerOptions }));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', join(folder, 'typed')]).catch((error: { stdout: string }) => error);
    expect([programs.length, stdout]).toEqual([2, '']);
  });
});

it('the client runs in environments with web APIs only', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { Parley } from 'parley-client';", resolveDir: folder },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'client',
    write: false,
  });
  const web = {
    fetch,
    crypto,
    setTimeout,
    clearTimeout,
    AbortController,
    AbortSignal,
    FormData,
    Blob,
    TextDecoder,
    TextEncoder,
    URLSearchParams,
  };
  const program = `${outputFiles[0]?.text};
    new client.Parley({ url: '${test.url}' })
      .conversation({ agent: 'Iris', user: 'a page' })
      .then((conversation) => conversation.ask('Hello'))
      .then(({ text }) => text)`;
  await expect(new Script(program).runInContext(createContext(web))).resolves.toBe('Otto, a good name.');
});
