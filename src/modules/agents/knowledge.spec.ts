import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findKnowledge } from './knowledge.js';

let root: string;
let folder: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-knowledge-'));
  folder = join(root, 'characters');
  await mkdir(join(folder, 'notes', 'deep'), { recursive: true });
  await writeFile(join(root, 'outside.md'), 'never');
  await writeFile(join(folder, 'notes', 'tides.md'), '# Tides');
  await writeFile(join(folder, 'notes', 'my lights.txt'), 'Green is starboard.');
  await writeFile(join(folder, 'notes', 'deep', 'fog.markdown'), 'Fog is cloud.');
  await writeFile(join(folder, 'notes', 'chart.pdf'), '%PDF-1.4');
  await writeFile(join(folder, 'notes', 'prices.xlsx'), 'PK');
  await writeFile(join(folder, 'notes', '.env'), 'KEY=never');
  await writeFile(join(folder, 'notes', 'settings.ini'), 'KEY=never');
  await writeFile(join(folder, 'other.json'), '{"secrets":{"KEY":"never"}}');
  await symlink(join(root, 'outside.md'), join(folder, 'link.md'));
  await symlink(join(folder, 'other.json'), join(folder, 'json.md'));
  await symlink(root, join(folder, 'up'));
});

afterAll(() => rm(root, { recursive: true }));

const pathsOf = ({ files }: Awaited<ReturnType<typeof findKnowledge>>): string[] => files.map(({ path }) => path);

describe('knowledge [characters.knowledge]', () => {
  it('contains facts unchanged', async () => {
    const facts = ['Fog is cloud.', 'Nobody reads notes/none.md', 'Node.js', 'and/or', '../outside.md is above', 'x'.repeat(5000) + ' .md'];
    const found = await findKnowledge(folder, facts);
    expect(found).toEqual({ facts: facts.map((text) => ({ text })), files: [], unreadable: [], leftOut: [] });
  });

  it('contains the named documents and those of folders', async () => {
    const named = await findKnowledge(folder, [
      'notes/tides.md',
      'notes/my lights.txt',
      { path: './notes/deep/fog.markdown', shared: true },
    ]);
    expect(pathsOf(named)).toEqual(['notes/tides.md', 'notes/my lights.txt', 'notes/deep/fog.markdown']);
    expect(named.files[0]).toEqual({ path: 'notes/tides.md', realPath: await realpath(join(folder, 'notes', 'tides.md')), size: 7 });
    const all = await findKnowledge(folder, [{ directory: 'notes' }]);
    expect(pathsOf(all)).toEqual([
      'notes/chart.pdf',
      'notes/deep/fog.markdown',
      'notes/my lights.txt',
      'notes/prices.xlsx',
      'notes/tides.md',
    ]);
    expect(all.leftOut).toEqual([]);
  });

  it.each([
    'none.md',
    'notes/handbook.pdf',
    'other.json',
    'link.md',
    'json.md',
    'up/outside.md',
    '../outside.md',
    '/etc/hosts.txt',
    'a\0.md',
  ])('leaves out %j and reports it', async (path) => {
    const expected = { facts: [], files: [], unreadable: [path], leftOut: [expect.stringContaining(path)] };
    expect(await findKnowledge(folder, [path])).toEqual(expected);
    expect(await findKnowledge(folder, [{ path }])).toEqual(expected);
  });

  it.each(['none', 'up', '..', 'other.json'])('is empty for the folder %j', async (directory) => {
    const { files, leftOut } = await findKnowledge(folder, [{ directory }]);
    expect(files).toEqual([]);
    expect(leftOut).not.toEqual([]);
  });

  it('contains a document once that is named itself and by its folder', async () => {
    const found = await findKnowledge(folder, ['notes/tides.md', { path: './notes/tides.md' }, { directory: 'notes' }]);
    expect(pathsOf(found)).toEqual([
      'notes/tides.md',
      'notes/chart.pdf',
      'notes/deep/fog.markdown',
      'notes/my lights.txt',
      'notes/prices.xlsx',
    ]);
  });
});
