import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKnowledge } from './knowledge.js';

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
  await writeFile(join(folder, 'notes', 'broken.txt'), Buffer.from([0xff, 0xfe, 0xff]));
  await writeFile(join(folder, 'big.txt'), 'x'.repeat(1024 * 1024 + 1));
  await writeFile(join(folder, 'other.json'), '{"secrets":{"KEY":"never"}}');
  await symlink(join(root, 'outside.md'), join(folder, 'link.md'));
  await symlink(join(folder, 'other.json'), join(folder, 'json.md'));
  await symlink(root, join(folder, 'up'));
});

afterAll(() => rm(root, { recursive: true }));

describe('knowledge', () => {
  it('returns facts unchanged', async () => {
    const facts = ['Fog is cloud.', 'Nobody reads notes/none.md', 'Node.js', 'and/or', '../outside.md is above', 'x'.repeat(5000) + ' .md'];
    expect(await readKnowledge(folder, facts)).toEqual({ texts: facts.map((text) => ({ text })), leftOut: [] });
  });

  it('reads the named documents and folders', async () => {
    const { texts } = await readKnowledge(folder, [
      'notes/tides.md',
      'notes/my lights.txt',
      { path: './notes/deep/fog.markdown', shared: true },
    ]);
    expect(texts).toEqual([
      { text: '# Tides', file: 'notes/tides.md' },
      { text: 'Green is starboard.', file: 'notes/my lights.txt' },
      { text: 'Fog is cloud.', file: './notes/deep/fog.markdown' },
    ]);
    const { texts: all, leftOut } = await readKnowledge(folder, [{ directory: 'notes' }]);
    expect(all.map(({ file }) => file)).toEqual(['notes/deep/fog.markdown', 'notes/my lights.txt', 'notes/tides.md']);
    expect(leftOut).toEqual([expect.stringMatching(/^notes\/broken\.txt is not a readable/)]);
  });

  it.each([
    'none.md',
    'notes/handbook.pdf',
    'big.txt',
    'other.json',
    'link.md',
    'json.md',
    'up/outside.md',
    '../outside.md',
    '/etc/hosts.txt',
    'a\0.md',
  ])('leaves out %j and reports it', async (path) => {
    expect(await readKnowledge(folder, [path])).toEqual({ texts: [], leftOut: [expect.stringContaining(path)] });
    expect(await readKnowledge(folder, [{ path }])).toEqual({ texts: [], leftOut: [expect.stringContaining(path)] });
  });

  it.each(['none', 'up', '..', 'big.txt'])('reads nothing from the folder %j', async (directory) => {
    const { texts, leftOut } = await readKnowledge(folder, [{ directory }]);
    expect(texts).toEqual([]);
    expect(leftOut).not.toEqual([]);
  });

  it('reads a document once that is named itself and by its folder', async () => {
    const { texts, leftOut } = await readKnowledge(folder, ['notes/tides.md', { path: './notes/tides.md' }, { directory: 'notes' }]);
    expect(texts.map(({ file }) => file)).toEqual(['notes/tides.md', 'notes/deep/fog.markdown', 'notes/my lights.txt']);
    expect(leftOut).toHaveLength(1);
  });

  it('stops at a limit for all documents of an agent', async () => {
    const names = Array.from({ length: 17 }, (_, index) => `full ${index}.txt`);
    for (const name of names) await writeFile(join(folder, name), 'x'.repeat(1024 * 1024));
    const { texts, leftOut } = await readKnowledge(
      folder,
      names.map((path) => ({ path })),
    );
    expect(texts).toHaveLength(16);
    expect(leftOut).toHaveLength(1);
  });
});
