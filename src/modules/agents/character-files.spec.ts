import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCharacterFiles } from './character-files.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-characters-'));
});

afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, content: unknown): Promise<void> =>
  writeFile(join(folder, name), typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
const eliza = { name: 'Eliza', bio: 'Listens.' };
const ada = { name: 'Ada', bio: 'Counts.' };

describe('the bundled characters', () => {
  it('are valid, can reply, and use every field', async () => {
    const { files } = await readCharacterFiles(fileURLToPath(new URL('../../../characters', import.meta.url)), true);
    expect(files.map(({ file, character }) => [file, character.name])).toEqual([
      ['iris.json', 'Iris'],
      ['maren.json', 'Maren'],
    ]);
    for (const { character, secrets, unused } of files) {
      const questions = (character.messageExamples ?? []).map(([question]) => question?.content.text);
      expect(new Set(questions).size).toBeGreaterThanOrEqual(15);
      expect(new Set(questions).size).toBe(questions.length);
      expect({ secrets, unused }).toEqual({ secrets: null, unused: [] });
    }
  });
});

describe('the characters folder', () => {
  it("returns its files sorted by name, each with its agent's id", async () => {
    await put('b.json', eliza);
    await put('a.json', { ...ada, id: 'AAAAAAAA-0000-0000-0000-000000000001' });
    const { files } = await readCharacterFiles(folder, true);
    expect(files.map(({ file, agentId }) => [file, agentId])).toEqual([
      ['a.json', 'aaaaaaaa-0000-0000-0000-000000000001'],
      ['b.json', 'b850bc30-45f8-0041-a00a-83df46d8555d'],
    ]);
  });

  it('ignores hidden files, folders and other files', async () => {
    await mkdir(join(folder, 'notes.json'));
    await put('.draft.json', 'not JSON');
    await put('README.md', '# Characters');
    await put('eliza.JSON', `\uFEFF${JSON.stringify(eliza)}`);
    expect((await readCharacterFiles(folder, true)).files.map(({ file }) => file)).toEqual(['eliza.JSON']);
  });

  it('may be missing unless it is configured', async () => {
    const missing = join(folder, 'missing');
    expect(await readCharacterFiles(missing, false)).toEqual({ files: [], faulty: [] });
    await expect(readCharacterFiles(missing, true)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(missing),
    });
    await put('file', '');
    await expect(readCharacterFiles(join(folder, 'file'), false)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('reports all faults of faulty files, and reads the others [characters.fields]', async () => {
    await put('a.json', { name: 'Ada', topics: { first: 1 }, secrets: 'hunter2' });
    await put('b.json', '{\n  "name": "Eliza",\n  "secrets": { "KEY": "hunter2",\n  ]\n}');
    await put('c.json', '{"name": "Eliza", "secrets": {"KEY": hunter2}}');
    await put('d.json', Buffer.from([0x22, 0xff, 0x22]));
    await put('e.json', '');
    await put('f.json', `${'['.repeat(5000)}${']'.repeat(5000)}`);
    await put('g.json', { spec: 'chara_card_v2', spec_version: '2.0', data: { name: 'Card' } });
    await symlink(join(folder, 'nowhere'), join(folder, 'h.json'));
    await put('ok.json', eliza);
    const { files, faulty } = await readCharacterFiles(folder, true);
    expect(files.map(({ file }) => file)).toEqual(['ok.json']);
    expect(faulty.flatMap(({ faults }) => faults)).toEqual([
      'a.json: bio is missing',
      'a.json: secrets must be an object',
      'b.json: is not JSON (line 4)',
      'c.json: is not JSON (line 1)',
      'd.json: is not text in UTF-8 or UTF-16',
      'e.json: is empty',
      'f.json: has lists and objects more than 200 levels deep',
      'g.json: this is a character card, which is imported: parley import FILE',
      'h.json: cannot be read (ENOENT)',
    ]);
    expect(JSON.stringify(faulty)).not.toContain('hunter2');
  });

  it('names fields that characters do not have, with the nearest one, and uses the others', async () => {
    await put('a.json', { ...eliza, knowlege: ['lost'], mcpServers: { files: { command: 'npx' } }, clients: ['discord'] });
    expect((await readCharacterFiles(folder, true)).files).toMatchObject([
      {
        character: eliza,
        unused: ['clients'],
        warnings: [
          'knowlege is not a field of a character and is not used; did you mean knowledge?',
          'mcpServers is not a field of a character and is not used',
        ],
      },
    ]);
  });

  it('may have comments, trailing commas and UTF-16 [characters.fields]', async () => {
    await put('a.json', "// mine\n{ name: 'Ada', /* short */ \"bio\": 'Counts.', \"topics\": ['a', 'b',], }");
    await put('b.json', Buffer.from(`\uFEFF${JSON.stringify(eliza)}`, 'utf16le'));
    await put('c.json', Buffer.from(JSON.stringify({ name: 'Carl', bio: 'Ä.' }), 'utf16le').swap16());
    const { files, faulty } = await readCharacterFiles(folder, true);
    expect(faulty).toEqual([]);
    expect(files.map(({ character }) => character)).toEqual([
      { name: 'Ada', bio: 'Counts.', topics: ['a', 'b'] },
      eliza,
      { name: 'Carl', bio: 'Ä.' },
    ]);
  });

  it('define an agent once: the first file counts', async () => {
    await put('a.json', eliza);
    await put('b.json', { ...ada, id: 'B850BC30-45F8-0041-A00A-83DF46D8555D' });
    await put('c.json', { ...eliza, id: 'aaaaaaaa-0000-0000-0000-000000000001' });
    const { files, faulty } = await readCharacterFiles(folder, true);
    expect(files.map(({ file }) => file)).toEqual(['a.json']);
    expect(faulty.flatMap(({ faults }) => faults)).toEqual([
      'b.json: has the same agent id as a.json (b850bc30-45f8-0041-a00a-83df46d8555d)',
      'c.json: has the same agent name as a.json (Eliza)',
    ]);
  });

  it('has a new hash only after its content has changed, including secrets', async () => {
    const hashOf = async (content: unknown): Promise<string> => {
      await put('a.json', content);
      return (await readCharacterFiles(folder, true)).files[0]?.hash ?? '';
    };
    const first = await hashOf({ ...eliza, secrets: { KEY: 'a' } });
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf(JSON.stringify({ secrets: { KEY: 'a' }, modelProvider: 'openai', ...eliza }, null, 4))).toBe(first);
    expect(await hashOf({ ...eliza, secrets: { KEY: 'b' } })).not.toBe(first);
    expect(await hashOf({ ...eliza, bio: 'Asks.', secrets: { KEY: 'a' } })).not.toBe(first);
  });
});
