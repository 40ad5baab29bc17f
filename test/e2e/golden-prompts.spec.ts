// What a model is asked in conversations of many kinds, byte for byte: a change of how prompts are built shows here what it changes.
// `WRITE_PROMPTS=true npm test -- test/e2e/golden-prompts.spec.ts` writes the prompts anew.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GoldenApp } from '../support/golden-prompts/golden-group.js';
import type { PlayedTurn } from '../support/golden-prompts/played-turn.js';
import { readPrompts, writePrompts, writtenGroups, type Played } from '../support/golden-prompts/prompt-fixture.js';
import { ATTACHMENTS } from './golden-prompts/attachments.js';
import { CHARACTERS } from './golden-prompts/characters.js';
import { DOCUMENTS } from './golden-prompts/documents.js';
import { MEANINGS } from './golden-prompts/meanings.js';
import { MEMORIES } from './golden-prompts/memories.js';
import { OFFLINE } from './golden-prompts/offline.js';
import { PEOPLE } from './golden-prompts/people.js';
import { PLUGINS } from './golden-prompts/plugins.js';
import { PROFILES } from './golden-prompts/profiles.js';
import { SHORTER } from './golden-prompts/shorter.js';
import { SUMMARIES } from './golden-prompts/summaries.js';
import { TIMES } from './golden-prompts/times.js';
import { VOUCHING } from './golden-prompts/vouching.js';
import { WINDOWS } from './golden-prompts/windows.js';

const GROUPS = [
  ...[CHARACTERS, PEOPLE, TIMES, WINDOWS, SUMMARIES, SHORTER, ATTACHMENTS],
  ...[MEMORIES, MEANINGS, VOUCHING, PROFILES, DOCUMENTS, PLUGINS, OFFLINE],
];
const WRITES = process.env['WRITE_PROMPTS'] === 'true';

describe.each(GROUPS)('the prompts of $name', (group) => {
  const names = Object.keys(group.conversations);
  const played = new Map<string, readonly PlayedTurn[]>();
  let app: GoldenApp;
  let written: Played;

  beforeAll(async () => {
    written = await readPrompts(group.name);
    app = await GoldenApp.start(group);
  });
  afterAll(async () => {
    // The conversations that `-t` left out stay as they are.
    const known = names.map((name) => [name, played.get(name) ?? written[name] ?? []]);
    if (WRITES) await writePrompts(group.name, Object.fromEntries(known));
    await app.close();
  });

  it.each(names)('are unchanged: %s', async (name) => {
    const turns = await app.play(name);
    played.set(name, turns);
    if (!WRITES) expect({ [name]: turns }).toEqual({ [name]: written[name] });
  });

  it('belong to these conversations only', () => {
    if (!WRITES) expect(Object.keys(written)).toEqual(names);
  });
});

describe('prompt files', () => {
  it('belong to these groups only', async () => {
    expect((await writtenGroups()).sort()).toEqual(GROUPS.map(({ name }) => name).sort());
  });
});
