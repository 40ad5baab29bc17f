import { describe, expect, it } from '@jest/globals';
import { best, termsOf } from './words.js';

describe('termsOf', () => {
  it('looks for long words by their beginning, and for short ones with and without an s', () => {
    expect(termsOf('My dogs are allergic to the allergies of a cat!', 9)).toEqual([
      { stem: 'allerg' },
      { forms: ['dog', 'dogs'] },
      { forms: ['cat', 'cats'] },
    ]);
  });

  it('knows words of other scripts and numbers', () => {
    expect(termsOf('Größe 4711 в Москве', 9)).toEqual([{ stem: 'москве' }, { forms: ['größe', 'größes'] }, { forms: ['4711', '4711s'] }]);
  });

  it('finds none in what says nothing', () => {
    expect(termsOf('   ?! and what of it', 9)).toEqual([]);
  });

  it('takes the longest words of a long text', () => {
    expect(termsOf(`${'tiny words over '.repeat(5000)} chromodynamics`, 2)).toEqual([{ stem: 'chromo' }, { forms: ['tiny', 'tinys'] }]);
    expect(termsOf(Array.from({ length: 500 }, (_, index) => `word${index}x`).join(' '), 12)).toHaveLength(12);
  });
});

describe('best', () => {
  const holders = (...ids: string[]): { id: string; age: number }[] => ids.map((id) => ({ id, age: id.codePointAt(0) ?? 0 }));

  it('prefers rare words and many of them, and the newer of equals', () => {
    expect(best([holders('a', 'b', 'c', 'd'), holders('b'), holders('c', 'b')], 9)).toEqual(['b', 'c']);
    expect(best([holders('a', 'b')], 9)).toEqual(['b', 'a']);
    expect(best([holders('a', 'b')], 1)).toEqual(['b']);
  });

  it('finds nothing when no word is held', () => {
    expect([best([], 3), best([[], []], 3)]).toEqual([[], []]);
  });
});
