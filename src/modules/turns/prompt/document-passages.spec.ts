import { describe, expect, it } from '@jest/globals';
import { citableOf, passageLine, selectPassages, sourcesOf, type PromptPassage } from './document-passages.js';

const passage = (number: number, text: string, change: Partial<PromptPassage> = {}): PromptPassage => ({
  ...{ number, text, memoryId: `piece ${number}`, documentId: 'handbook', document: 'Handbook', source: 'text', url: null },
  ...{ position: number, heading: '', page: null, place: 'page 3, Warranty', ...change },
});
const WARRANTY = passage(1, 'The warranty of a kettle lasts three years. It begins with the day of purchase.');
const RETURNS = passage(2, 'Returns are free within thirty days.', { document: 'Returns', documentId: 'returns', place: '' });
const CITABLES = [WARRANTY, RETURNS].map(citableOf);

describe('document passages', () => {
  it('are single lines with number, document and place', () => {
    expect(passageLine(WARRANTY)).toBe(
      '[1] Handbook, page 3, Warranty: The warranty of a kettle lasts three years. It begins with the day of purchase.',
    );
    expect(passageLine({ ...RETURNS, document: 'Returns\n# Rules' })).toBe('[2] Returns # Rules: Returns are free within thirty days.');
  });

  it('are sources of a reply that refers to them', () => {
    expect(sourcesOf('Thirty days [2].', CITABLES)).toEqual([
      {
        ...{ documentId: 'returns', memoryId: 'piece 2', document: 'Returns', place: '', url: null, reference: 2 },
        quote: 'Returns are free within thirty days.',
      },
    ]);
    expect(sourcesOf('Both [1][2], not [7].', CITABLES).map(({ reference }) => reference)).toEqual([1, 2]);
  });

  it('are sources of a reply that repeats their content, with the matching sentence', () => {
    const [source, ...others] = sourcesOf('Sure! A kettle has a warranty of three years.', CITABLES);
    expect(source).toEqual({
      ...{ documentId: 'handbook', memoryId: 'piece 1', document: 'Handbook', place: 'page 3, Warranty', url: null },
      quote: 'The warranty of a kettle lasts three years.',
    });
    expect(others).toEqual([]);
  });

  it.each(['', 'Hello, how are you?', 'I do not know.', 'Kettle.'])('are not sources of an unrelated reply: %j', (answer) => {
    expect(sourcesOf(answer, CITABLES)).toEqual([]);
  });

  it('fit in their budget, without their heading, and leave out deleted pieces', () => {
    const piece = (memoryId: string, text: string): Parameters<typeof selectPassages>[0][number] => ({
      ...{ memoryId, text, roomId: 'ada', authorId: 'ada', authorName: null, type: 'knowledge', at: 1 },
      ...{ score: 1, similarity: null, pieces: [], foundBy: [] },
    });
    const places = new Map([
      ['a', { ...WARRANTY, memoryId: 'a', heading: 'Warranty' }],
      ['b', { ...RETURNS, memoryId: 'b' }],
    ]);
    const found = [piece('a', 'Warranty\n\nThree years.'), piece('b', 'word '.repeat(500)), piece('gone', 'x')];
    const { shown, leftOut } = selectPassages(found, places, 60);
    expect(shown.map(({ number, memoryId, text }) => [number, memoryId, text])).toEqual([[1, 'a', 'Three years.']]);
    expect(leftOut.map(({ memoryId }) => memoryId)).toEqual(['b']);
  });
});
