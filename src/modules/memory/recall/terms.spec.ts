import { describe, expect, it } from '@jest/globals';
import { toTsquery } from '../../../core/search/index.js';
import { rankMatches, parseTerms } from './terms.js';

describe('parseTerms', () => {
  /** The terms as a tsquery, without its quotes. */
  const termsOf = (query: string, limit = 9): string[] => parseTerms(query, limit).map((term) => toTsquery(term).replaceAll("'", ''));

  it('matches words by the beginning of their forms, and short ones with some endings', () => {
    expect(termsOf('My dogs are allergic to the allergies of a cat!')).toEqual([
      '(allerg:* | allergy)',
      '(dogs:* | dog)',
      '(cat | cats | cates | caten)',
    ]);
  });

  it('accepts numbers and words in other scripts', () => {
    expect(termsOf('Größe 4711 в Москве')).toEqual(['gros:*', 'москв:*', '4711']);
    expect(termsOf('我的猫')).toEqual(['猫:*']);
  });

  it('returns no terms for punctuation and stop words', () => {
    expect(termsOf('   ?! and what of it')).toEqual([]);
  });

  it('selects the longest words of a long text', () => {
    expect(termsOf(`chromodynamics ${'tiny words over '.repeat(5000)}`, 2)).toEqual(['chromo:*', 'word:*']);
    expect(termsOf(Array.from({ length: 500 }, (_, index) => `word${index}x`).join(' '), 12)).toHaveLength(12);
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
