// Readers of files of other programs get anything: they take it or refuse it with a sentence.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import { parseForeignCharacter } from '../../src/modules/agents/index.js';
import { cardAgent, isCharacterCard } from '../../src/operations/import/character-card.js';
import { chatGptConversation, isChatGptConversation } from '../../src/operations/import/chatgpt.js';
import { claudeConversation, isClaudeConversation } from '../../src/operations/import/claude.js';
import { documentsOf, UnreadableFile } from '../../src/operations/import/documents.js';
import { isLettaFile, lettaAgents } from '../../src/operations/import/letta.js';
import { ImportReport } from '../../src/operations/import/report.js';
import * as foreign from '../support/foreign-files.js';
import { Random } from '../support/random.js';

const ROUNDS = 1500;
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  '\u0000',
  '\ud800',
  '{{char}}',
  '9999-99-99T99:99:99',
  [],
  [[[]]],
  {},
  { toString: 1 },
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}'),
  'x'.repeat(5000),
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-readers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A copy with one value, at any depth, replaced by an odd one. */
function changed(value: unknown, random: Random): unknown {
  const odd = ODD[Math.floor(random.next() * ODD.length)];
  if (typeof value !== 'object' || value === null || random.next() < 0.15) return odd;
  const keys = Object.keys(value);
  const key = keys[Math.floor(random.next() * keys.length)];
  if (key === undefined) return odd;
  if (Array.isArray(value)) return value.map((each: unknown, index) => (String(index) === key ? changed(each, random) : each));
  return { ...value, [key]: changed((value as Record<string, unknown>)[key], random) };
}

/** Takes a value as the import does. */
function take(value: unknown, report: ImportReport): void {
  const check = (character: unknown): void => {
    try {
      parseForeignCharacter(character, 'x.json');
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CHARACTER_INVALID') throw error;
      expect(error.details).toMatch(/^x\.json: /);
    }
  };
  if (isChatGptConversation(value)) for (const { text } of chatGptConversation(value, report).messages) expect(text.trim()).not.toBe('');
  if (isClaudeConversation(value)) for (const { text } of claudeConversation(value, report).messages) expect(text.trim()).not.toBe('');
  if (isCharacterCard(value)) check(cardAgent(value, report).character);
  if (isLettaFile(value)) for (const { character } of lettaAgents(value, report)) check(character);
  check(value);
}

it('take or refuse every change of a file, and change nothing else', () => {
  const random = new Random(20261129);
  const eliza = {
    ...{ name: 'Skerry', bio: ['a'], lore: 'b', topics: ['c'], style: { all: ['d'] }, settings: { secrets: { KEY: 'e' } } },
    ...{
      messageExamples: [[{ user: 'f', content: { text: 'g' } }]],
      knowledge: ['h', { path: 'i.md' }],
      templates: { j: { template: 'k' } },
    },
    ...{ plugins: [{ name: 'l' }], postExamples: ['m'], secrets: { KEY: 'n' } },
  };
  const files = [foreign.chatGpt(), foreign.claude(), foreign.letta(), foreign.cardV1(), foreign.card(2), foreign.card(3), eliza];
  for (let round = 0; round < ROUNDS; round += 1) {
    let value: unknown = files[round % files.length];
    for (let times = 1 + Math.floor(random.next() * 3); times > 0; times -= 1) value = changed(value, random);
    const report = new ImportReport();
    take(value, report);
    expect(report.toString()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

it('take or refuse every damaged picture, archive and text', async () => {
  const random = new Random(7);
  const files = [
    foreign.picture(['tEXt', 'chara', foreign.card(2)], ['zTXt', 'x', 'y'], ['iTXt', 'ccv3', foreign.card(3)]),
    await foreign.archive({ 'conversations.json': [foreign.claude()], 'card.json': foreign.card(3) }),
    Buffer.from(JSON.stringify([foreign.claude()])),
    Buffer.from(`\ufeff${JSON.stringify(foreign.letta())}`, 'utf16le'),
  ];
  const path = join(folder, 'file');
  for (let round = 0; round < 300; round += 1) {
    const bytes = Buffer.from(files[round % files.length]!);
    for (let times = 1 + Math.floor(random.next() * 4); times > 0; times -= 1) {
      bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
    }
    await writeFile(path, random.next() < 0.3 ? bytes.subarray(0, Math.floor(random.next() * bytes.length)) : bytes);
    try {
      for await (const { value } of documentsOf(path, () => undefined)) take(value, new ImportReport());
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      expect(error.message).toMatch(/^\S*file.*\.$/su);
      expect(error.message).not.toContain('\n');
    }
  }
});

it('read a list that is too large to be read whole entry by entry, up to its fault', async () => {
  const path = join(folder, 'large.json');
  const entry = JSON.stringify({ ...foreign.claude(), note: 'x'.repeat(1_000_000) });
  const read = async (text: string): Promise<{ count: number; fault: string }> => {
    await writeFile(path, text);
    let count = 0;
    try {
      for await (const { value } of documentsOf(path, () => undefined)) count += isClaudeConversation(value) ? 1 : 0;
    } catch (error) {
      return { count, fault: (error as UnreadableFile).message };
    }
    return { count, fault: '' };
  };
  const list = `\ufeff[${Array.from({ length: 40 }, () => entry).join(',\n')}]`;
  expect(await read(list)).toEqual({ count: 40, fault: '' });
  const { count, fault } = await read(list.substring(0, 38_000_000));
  expect(count).toBeGreaterThan(30);
  expect(fault).toContain(`large.json is not JSON after entry ${count}; the entries before are taken`);
});
