import { describe, expect, it } from '@jest/globals';
import type { UserFact, UserStatement } from '../memory/index.js';
import { extractionMessages, parseExtraction, withinRequest } from './extraction-prompt.js';

const said = (role: 'user' | 'agent', text: string, at: number): UserStatement => ({ memoryId: `m${at}`, role, text, seq: at, at });
const fact = (id: string, text: string): UserFact => ({
  id,
  text,
  key: 'home',
  validFrom: 1,
  validUntil: null,
  replaces: null,
  sources: ['m0'],
});

const BATCH = {
  facts: [fact('a', 'Lives in Paris.'), fact('b', 'Likes tea.')],
  statements: [said('user', 'I moved\nto Rome.', 1), said('agent', 'Nice, you like opera.', 2), said('user', 'I like\u2028 opera.', 3)],
};
const parse = (answer: object): ReturnType<typeof parseExtraction> => parseExtraction(JSON.stringify(answer), BATCH);

describe('an extraction request', () => {
  it('numbers the messages of the user only, one per line', () => {
    const content = extractionMessages(BATCH, 0)[1]?.content;
    expect(content).toContain(
      '1. user: (1970-01-01 00:00) I moved to Rome.\nassistant: (1970-01-01 00:00) Nice, you like opera.\n2. user: ',
    );
    expect(content).toContain('I like opera.');
    expect(content).toContain('F1 (1970-01-01): Lives in Paris.\nF2');
  });

  it('contains a limited number of tokens and at least one message', () => {
    const long = Array.from({ length: 40 }, (_, index) => said('user', 'word '.repeat(5000), index));
    const count = withinRequest(long).length;
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThan(20);
    expect(withinRequest(BATCH.statements)).toHaveLength(3);
  });
});

describe('an extraction result', () => {
  it('changes, ends and adds facts', () => {
    const answer = {
      change: [{ id: 'F1', text: 'Lives in Rome.', sources: [1] }],
      end: [{ id: 'f2', sources: [2, 1] }],
      add: [{ text: ' Likes\nopera. ', key: 'music', sources: [2] }],
    };
    expect(parse(answer)).toEqual({
      add: [
        { text: 'Lives in Rome.', key: 'home', replaces: 'a', validFrom: 1, sources: [BATCH.statements[0]] },
        { text: 'Likes opera.', key: 'music', replaces: null, validFrom: 3, sources: [BATCH.statements[2]] },
      ],
      end: [
        { fact: BATCH.facts[0], until: 1, sources: [BATCH.statements[0]] },
        { fact: BATCH.facts[1], until: 3, sources: [BATCH.statements[2], BATCH.statements[0]] },
      ],
    });
  });

  it.each([
    ['no source', { add: [{ text: 'Likes opera.', sources: [] }] }],
    ['a message that does not exist', { add: [{ text: 'Likes opera.', sources: [3, 0, -1] }] }],
    ['a long text', { add: [{ text: 'x'.repeat(201), sources: [1] }] }],
    ['no text', { add: [{ text: ' \n', sources: [1] }] }],
    ['a known fact', { add: [{ text: 'likes tea', sources: [1] }] }],
    ['an unknown id', { change: [{ id: 'F3', text: 'Lives in Rome.', sources: [1] }], end: [{ id: 'b', sources: [1] }] }],
    ['a change to the same value', { change: [{ id: 'F1', text: 'Lives in Paris', sources: [1] }] }],
  ])('leaves out an entry with %s', (_what, answer) => {
    expect(parse(answer)).toEqual({ add: [], end: [] });
  });

  it('changes a fact once, and has at most twelve changes', () => {
    const end = [
      { id: 'F1', sources: [1] },
      { id: 'F1', sources: [1] },
    ];
    const add = Array.from({ length: 20 }, (_, index) => ({ text: `Fact ${index}.`, sources: [1] }));
    const found = parse({ end, add });
    expect([found?.end.length, found?.add.length]).toEqual([1, 10]);
  });

  it('may be in a code block', () => {
    expect(parseExtraction('Here:\n```json\n{"add":[]}\n```', BATCH)).toEqual({ add: [], end: [] });
  });

  it.each([
    '',
    'None.',
    '[]',
    '{"add":{}}',
    '{"add":["Likes tea."]}',
    '{"add":[{"text":"x","sources":["1"]}]}',
    '{"end":[{"sources":[1]}]}',
    '{',
  ])('is malformed: %s', (answer) => {
    expect(parseExtraction(answer, BATCH)).toBeUndefined();
  });
});
