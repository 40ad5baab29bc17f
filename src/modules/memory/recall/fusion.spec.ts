import { describe, expect, it } from '@jest/globals';
import { fuse as fuseWith, type FoundList } from './fusion.js';
import type { RecallRow } from './recall-rows.repository.js';
import { parseTerms } from './terms.js';

const row = (id: string, text: string, at = 1, authorId = 'ann'): RecallRow => ({
  ...{ id, text, at, authorId, authorName: null, room_id: 'room', type: 'messages', vouched: true, isEmbedded: true },
});
const [cat, dog, fish] = [row('cat', 'My cat is Otto.'), row('dog', 'My dog is Rex.'), row('fish', 'My fish is Bob.')];
const list = (by: FoundList['by'], ...rows: RecallRow[]): FoundList => ({ by, found: rows.map((each) => ({ row: each })) });
const fuse = (lists: FoundList[], limit: number, question = ''): ReturnType<typeof fuseWith> =>
  fuseWith(lists, { limit, terms: parseTerms(question, 12), pieceLength: 200 });
const ids = (lists: FoundList[], limit = 9): string[] => fuse(lists, limit).memories.map(({ memoryId }) => memoryId);

describe('the fusion of searches', () => {
  it('ranks results of several searches above those of one', () => {
    expect(ids([list('meaning', cat, dog), list('words', dog, fish)])).toEqual(['dog', 'cat', 'fish']);
    expect(fuse([list('meaning', cat), list('words', cat)], 9).memories[0]).toMatchObject({ foundBy: ['meaning', 'words'] });
  });

  it('counts keyword matches twice where the list requires it', () => {
    const twice: FoundList = { by: 'words', found: [{ row: fish, factor: 2 }] };
    expect(ids([list('meaning', cat, dog), twice])).toEqual(['fish', 'cat', 'dog']);
  });

  it('ranks statements before questions and instructions to the agent', () => {
    const question = row('question', 'What is my cat called?');
    expect(ids([list('meaning', question, row('order', 'Tell me a story about a cat.'), cat)])).toEqual(['cat', 'question', 'order']);
  });

  it('counts what the matching sentences tell, not what stands beside them', () => {
    const question = row('question', 'I need your help. Which animal barks at night?');
    const statement = row('statement', 'The dog barks at night. Why is that?');
    const found = { by: 'meaning', found: [question, statement].map((each, piece) => ({ row: each, pieces: [1 - piece] })) } as const;
    expect(fuse([found], 9).memories.map(({ memoryId }) => memoryId)).toEqual(['statement', 'question']);
    const byWords = fuse([list('words', question, statement)], 9, 'Which dog barks?');
    expect(byWords.memories.map(({ memoryId }) => memoryId)).toEqual(['statement', 'question']);
  });

  it('does not rank messages by a sentence that many of them have', () => {
    const told = ['My fish is Bob.', 'My hen is Ida.', 'My cow is Eva.'].map((text) =>
      row(text, `It was a long and busy week for me. ${text}`),
    );
    const found = told.map((each) => ({ row: each, pieces: [0] }));
    expect(ids([{ by: 'meaning', found }, list('words', cat)])[0]).toBe('cat');
  });

  it("keeps the newest of an author's equal texts, with the best score", () => {
    const again = row('again', 'my cat is OTTO', 2);
    const foreign = row('foreign', 'My cat is Otto.', 3, 'ben');
    const { memories, leftOut } = fuse([list('meaning', cat, dog, again, foreign)], 9);
    expect(memories.map(({ memoryId }) => memoryId)).toEqual(['again', 'dog', 'foreign']);
    expect(leftOut).toMatchObject([{ memoryId: 'cat', reason: 'duplicate' }]);
  });

  it('reports the results beyond the limit', () => {
    expect(fuse([list('meaning', cat, dog, fish)], 1)).toMatchObject({
      memories: [{ memoryId: 'cat' }],
      leftOut: [
        { memoryId: 'dog', reason: 'limit' },
        { memoryId: 'fish', reason: 'limit' },
      ],
    });
  });

  it('returns scores from 0 to 1', () => {
    const all = (['meaning', 'words', 'related', 'recency', 'unseen'] as const).map((by) => list(by, cat));
    expect(fuse(all, 1).memories[0]?.score).toBeCloseTo(1);
    expect(fuse([], 5)).toEqual({ memories: [], leftOut: [] });
  });
});
