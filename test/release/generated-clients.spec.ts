// Generates clients from docs/reference/openapi.json, type-checks the programs of docs/guides/clients.md, "Generated clients", and runs them.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { apiDocument } from '../support/api-document.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 240_000;
const run = promisify(execFile);

let test: TestApp;
let folder: string;

/** Generates the client of a section of the guide by its command, and writes its program. */
async function prepare(heading: string): Promise<void> {
  const guide = await readFile(join(ROOT, 'docs/guides/clients.md'), 'utf8');
  const section = guide.split(`### ${heading}\n`)[1]!.split(/^##/m)[0]!;
  const [, command] = /^npx (.*)$/m.exec(section)!;
  const [generator, ...parameters] = command!.split(' ');
  const { bin } = JSON.parse(await readFile(join(ROOT, 'node_modules', generator!, 'package.json'), 'utf8')) as { bin: object };
  const [program] = Object.values(bin) as string[];
  await run(process.execPath, [join(ROOT, 'node_modules', generator!, program!), ...parameters], { cwd: folder });
  const [, source] = /^```ts\n(.*?)^```/ms.exec(section)!;
  await writeFile(join(folder, fileOf(heading)), source!.replaceAll('http://127.0.0.1:3000', test.url));
}

const fileOf = (heading: string): string => `use-${heading.replace(/\W+/g, '-')}.ts`;

beforeAll(async () => {
  test = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'parley-generated-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(apiDocument().document));
  const compilerOptions = { strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022', types: [] };
  const lib = ['es2022', 'dom', 'dom.iterable'];
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, lib, skipLibCheck: true }, include: ['use-*.ts'] }),
  );
}, LIMIT_MS);
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a generated client', () => {
  const HEADINGS = ['@hey-api/openapi-ts', 'openapi-typescript'];

  it(
    "has types with which the guide's programs compile",
    async () => {
      await Promise.all(HEADINGS.map(prepare));
      const { stdout } = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder });
      expect(stdout).toBe('');
    },
    LIMIT_MS,
  );

  it.each(HEADINGS)('for %s waits for a reply as JSON, and reads another as a stream', async (heading) => {
    test.model.always(({ messages }) => (JSON.stringify(messages).includes('What is my cat called?') ? 'Otto.' : 'Nice.'));
    const bundle = join(folder, 'program.mjs');
    const entry = { entryPoints: [join(folder, fileOf(heading))], outfile: bundle, preserveSymlinks: true };
    await build({ ...entry, bundle: true, platform: 'node', format: 'esm' });
    expect((await run(process.execPath, [bundle])).stdout).toBe('Nice.\nOtto.\n');
  });
});

it('no operation succeeds with either JSON or a stream, except those of protocols, which have clients of their own', () => {
  const own = Object.entries(apiDocument().document.paths).filter(([path]) => !path.startsWith('/v1/'));
  const faults = own.flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, { responses }]) => {
      const types = Object.entries(responses).flatMap(([status, { content = {} }]) => (status < '300' ? Object.keys(content) : []));
      return types.includes('text/event-stream') && types.length > 1 ? [`${verb} ${path}: ${types.join(', ')}`] : [];
    }),
  );
  expect(faults).toEqual([]);
});
