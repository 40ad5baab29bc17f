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
    const files = await readCharacterFiles(fileURLToPath(new URL('../../../characters', import.meta.url)), true);
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
    const files = await readCharacterFiles(folder, true);
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
    expect((await readCharacterFiles(folder, true)).map(({ file }) => file)).toEqual(['eliza.JSON']);
  });

  it('may be missing unless it is configured', async () => {
    const missing = join(folder, 'missing');
    expect(await readCharacterFiles(missing, false)).toEqual([]);
    await expect(readCharacterFiles(missing, true)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(missing),
    });
    await put('file', '');
    await expect(readCharacterFiles(join(folder, 'file'), false)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('reports all errors of all files [characters.fields]', async () => {
    await put('a.json', { name: 'Ada', colour: 'blue' });
    await put('b.json', '{\n  "name": "Eliza",\n  "secrets": { "KEY": "hunter2",\n  }\n}');
    await put('c.json', '{"name": "Eliza", "secrets": {"KEY": hunter2}}');
    await put('d.json', Buffer.from([0x22, 0xff, 0x22]));
    await put('e.json', '');
    await symlink(join(folder, 'nowhere'), join(folder, 'f.json'));
    await put('ok.json', eliza);
    const refusal = readCharacterFiles(folder, true);
    await expect(refusal).rejects.toMatchObject({ code: 'CHARACTER_INVALID', message: expect.stringContaining('a.json') });
    const { details } = (await refusal.catch((error: unknown) => error)) as { details: string };
    expect(details.split('; ')).toEqual([
      'a.json: bio is missing',
      'a.json: colour is not a field of a character',
      'b.json: is not JSON (near line 4)',
      'c.json: is not JSON (near line 1)',
      'd.json: is not text in UTF-8',
      'e.json: is not JSON',
      'f.json: cannot be read (ENOENT)',
    ]);
    expect(details).not.toContain('hunter2');
  });

  it('finds the line of a syntax error without a position', async () => {
    await put('a.json', `{\n"bio": "${'x'.repeat(80)}",\n"topics": ["a", "b",\n],\n"name": "${'y'.repeat(80)}"\n}`);
    await expect(readCharacterFiles(folder, true)).rejects.toMatchObject({ details: expect.stringMatching(/near line [34]\)/) });
  });

  it('must not define an agent twice', async () => {
    await put('a.json', eliza);
    await put('b.json', { ...ada, id: 'B850BC30-45F8-0041-A00A-83DF46D8555D' });
    await put('c.json', { ...eliza, id: 'aaaaaaaa-0000-0000-0000-000000000001' });
    await expect(readCharacterFiles(folder, true)).rejects.toMatchObject({
      details:
        'b.json: has the same agent id as a.json (b850bc30-45f8-0041-a00a-83df46d8555d); c.json: has the same agent name as a.json (Eliza)',
    });
  });

  it('has a new hash only after its content has changed, including secrets', async () => {
    const hashOf = async (content: unknown): Promise<string> => {
      await put('a.json', content);
      return (await readCharacterFiles(folder, true))[0]?.hash ?? '';
    };
    const first = await hashOf({ ...eliza, secrets: { KEY: 'a' } });
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf(JSON.stringify({ secrets: { KEY: 'a' }, modelProvider: 'openai', ...eliza }, null, 4))).toBe(first);
    expect(await hashOf({ ...eliza, secrets: { KEY: 'b' } })).not.toBe(first);
    expect(await hashOf({ ...eliza, bio: 'Asks.', secrets: { KEY: 'a' } })).not.toBe(first);
  });
});
