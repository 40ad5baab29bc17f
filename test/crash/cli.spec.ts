// The command line: what it prints, and that the plugin it writes works.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from '../../src/cli/cli.js';

const ROOT = resolve(import.meta.dirname, '../..');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-cli-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules/parley'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function parley(...args: string[]): Promise<{ code: number | undefined; out: string; err: string; started: boolean }> {
  const seen = { out: '', err: '', started: false };
  const program = {
    version: '1.2.3',
    pluginsDir: () => join(folder, 'plugins'),
    start: async () => {
      seen.started = true;
    },
  };
  const code = await runCommand(args, program, { out: (text) => (seen.out += text), err: (text) => (seen.err += text) });
  return { code, ...seen };
}

describe('parley', () => {
  it.each([[[]], [['start']]])('%j starts the server', async (args) => {
    expect(await parley(...args)).toEqual({ code: undefined, out: '', err: '', started: true });
  });

  it.each([[['--help']], [['-h']], [['help']], [['plugin', '--help']]])('%j says what there is', async (args) => {
    expect(await parley(...args)).toMatchObject({ code: 0, out: expect.stringContaining('plugin check PATH'), started: false });
  });

  it.each([[['--version']], [['-v']]])('%j says the version', async (args) => {
    expect(await parley(...args)).toEqual({ code: 0, out: '1.2.3\n', err: '', started: false });
  });

  it.each([
    [['run']],
    [['plugin']],
    [['plugin', 'new']],
    [['plugin', 'check', 'a', 'b']],
    [['start', 'now']],
    [['--port', '1']],
    [['plugin', 'drop', 'x']],
  ])('%j is refused with what there is', async (args) => {
    expect(await parley(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Usage: parley'), started: false });
  });
});

describe('parley plugin', () => {
  it('new writes a plugin that can be loaded and whose test passes; it does not write over one', async () => {
    const made = await parley('plugin', 'new', 'greeter');
    expect(made).toMatchObject({ code: 0, err: '' });
    const path = join(folder, 'plugins/greeter');
    expect(await parley('plugin', 'check', path)).toEqual({
      code: 0,
      out: 'greeter 0.1.0 can be loaded.\n  GET    /greeter/:who\n  POST   /greeter\n',
      err: '',
      started: false,
    });
    const { status, stdout } = spawnSync(process.execPath, ['--test', join(path, 'greeter.test.mjs')], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    expect({ status, passed: /pass (\d+)/.exec(stdout)?.[1] }).toEqual({ status: 0, passed: '3' });
    const before = await readFile(join(path, 'index.mjs'), 'utf8');
    expect(await parley('plugin', 'new', 'greeter')).toMatchObject({ code: 1, err: expect.stringContaining('it is there already') });
    expect(await readFile(join(path, 'index.mjs'), 'utf8')).toBe(before);
  });

  it.each(['../up', 'a/b', 'Ä', '', '.hidden', 'with space'])('new refuses the name "%s"', async (name) => {
    expect(await parley('plugin', 'new', name)).toMatchObject({ code: 1, err: expect.stringContaining('is no name for a plugin') });
  });

  it.each([
    ['that is not there', 'gone.mjs', undefined, 'there is no file or folder'],
    ['that throws', 'throws.mjs', `throw new Error('broken');`, 'broken'],
    ['that is none', 'none.mjs', 'export default 1;', 'exports no plugin'],
    [
      'with a bad path',
      'path.mjs',
      `export default { name: 'x', routes: [{ type: 'GET', path: '/{', handler() {} }] };`,
      'cannot be understood',
    ],
    [
      'with a file that is not there',
      'file.mjs',
      `export default { name: 'x', routes: [{ type: 'STATIC', path: '/x', filePath: 'no' }] };`,
      'does not exist',
    ],
    [
      'with a route twice',
      'twice.mjs',
      `const route = { type: 'GET', path: '/x', handler() {} }; export default { name: 'x', routes: [route, { ...route }] };`,
      'collides with GET /x of the same plugin',
    ],
  ])('check refuses one %s, with the reason', async (_name, file, source, reason) => {
    const path = join(folder, file);
    if (source !== undefined) await writeFile(path, source);
    expect(await parley('plugin', 'check', path)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(reason) });
  });

  it('check is what the built program does', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'dist/main.js'), 'plugin', 'check', './plugins/post-message'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'post-message 1.0.0 can be loaded.\n  POST   /post-message\n' });
  });
});
