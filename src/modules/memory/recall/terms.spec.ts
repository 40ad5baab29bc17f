import { describe, expect, it } from '@jest/globals';
import { toTsquery, type SearchTerm } from '../../../core/search/index.js';
import { parseTerms, rankBySentences, rankMatches, type TermMatches } from './terms.js';

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
  const [dog, cat] = parseTerms('dog cat', 9) as [SearchTerm, SearchTerm];
  const holders = (term: SearchTerm, ...ids: string[]): TermMatches => ({
    term,
    matches: ids.map((id) => ({ id, recency: id.codePointAt(0) ?? 0 })),
  });

  it('ranks by rare and shared terms, newer first among equals', () => {
    expect(rankMatches([holders(dog, 'a', 'b', 'c', 'd'), holders(cat, 'c', 'b')], 2)).toEqual(['c', 'b']);
    expect(rankMatches([holders(dog, 'a', 'b')], 9)).toEqual(['b', 'a']);
    expect(rankMatches([holders(dog, 'a', 'b')], 1)).toEqual(['b']);
  });

  it('returns nothing without matches', () => {
    expect([rankMatches([], 3), rankMatches([holders(dog)], 3)]).toEqual([[], []]);
  });
});

describe('rankBySentences', () => {
  const found = parseTerms('colour of the blanket of the dog', 9).map((term): TermMatches => ({ term, matches: [] }));
  const rank = (...memories: string[][]): string[][] => rankBySentences(memories, found, (sentences) => sentences);

  it('ranks a text with the terms in one place above a long text that has them apart', () => {
    const apart = ['The colour faded.', 'It rained.', 'A dog barked.', 'It rained.', 'The blanket was warm.'];
    const together = ['My dog has a blanket.', 'Its colour is green.'];
    expect(rank(apart, together)).toEqual([together]);
  });

  it('keeps what has at least half of the best score', () => {
    expect(rank(['It rained.'], ['A dog.'], ['The colour of a dog.'])).toEqual([['The colour of a dog.'], ['A dog.']]);
    expect(rank()).toEqual([]);
  });
});
