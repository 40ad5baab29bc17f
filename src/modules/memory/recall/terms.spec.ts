import { describe, expect, it } from '@jest/globals';
import { rankMatches, parseTerms } from './terms.js';

describe('parseTerms', () => {
  it('matches long words by their stem, and short ones with and without an s', () => {
    expect(parseTerms('My dogs are allergic to the allergies of a cat!', 9)).toEqual([
      { stem: 'allerg' },
      { forms: ['dog', 'dogs'] },
      { forms: ['cat', 'cats'] },
    ]);
  });

  it('accepts numbers and words in other scripts', () => {
    expect(parseTerms('Größe 4711 в Москве', 9)).toEqual([
      { stem: 'москве' },
      { forms: ['größe', 'größes'] },
      { forms: ['4711', '4711s'] },
    ]);
  });

  it('returns no terms for punctuation and stop words', () => {
    expect(parseTerms('   ?! and what of it', 9)).toEqual([]);
  });

  it('selects the longest words of a long text', () => {
    expect(parseTerms(`${'tiny words over '.repeat(5000)} chromodynamics`, 2)).toEqual([{ stem: 'chromo' }, { forms: ['tiny', 'tinys'] }]);
    expect(parseTerms(Array.from({ length: 500 }, (_, index) => `word${index}x`).join(' '), 12)).toHaveLength(12);
  });
});

describe('rankMatches', () => {
  const holders = (...ids: string[]): { id: string; recency: number }[] => ids.map((id) => ({ id, recency: id.codePointAt(0) ?? 0 }));

  it('ranks by rare and shared terms, newer first among equals', () => {
    expect(rankMatches([holders('a', 'b', 'c', 'd'), holders('b'), holders('c', 'b')], 9)).toEqual(['b', 'c']);
    expect(rankMatches([holders('a', 'b')], 9)).toEqual(['b', 'a']);
    expect(rankMatches([holders('a', 'b')], 1)).toEqual(['b']);
  });

  it('returns nothing without matches', () => {
    expect([rankMatches([], 3), rankMatches([[], []], 3)]).toEqual([[], []]);
  });
});
