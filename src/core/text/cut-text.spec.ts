import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutText, endOfText, shortened } from './cut-text.js';

describe('a text is cut', () => {
  it.each<[string, string, number, string, string]>([
    ['at its length', 'abc', 3, 'abc', 'abc'],
    ['between letters', 'abcd', 2, 'ab', 'cd'],
    ['not within an emoji', 'a🌞b', 2, 'a', 'b'],
    ['behind an emoji', 'a🌞', 3, 'a🌞', 'a🌞'],
    ['before a joiner', '👩\u200d🚀', 3, '👩', '\u200d🚀'],
    ['to nothing', '🌞', 1, '', ''],
    ['to nothing by a negative length', 'abc', -1, '', ''],
  ])('%s', (_where, text, length, beginning, end) => {
    expect([cutText(text, length), endOfText(text, length)]).toEqual([beginning, end]);
  });

  it('to as many whole characters as fit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(60), (text, length) => {
        const [beginning, end] = [cutText(text, length), endOfText(text, length)];
        expect(beginning.isWellFormed() && end.isWellFormed()).toBe(true);
        expect(text.startsWith(beginning) && text.endsWith(end)).toBe(true);
        const most = Math.min(text.length, length);
        expect(beginning.length <= most && beginning.length >= most - 2 && end.length <= most && end.length >= most - 1).toBe(true);
      }),
    );
  });

  it('and ends with an ellipsis when characters are left out', () => {
    expect([shortened('one two', 7), shortened('one two', 5), shortened('a🌞b', 3)]).toEqual(['one two', 'one…', 'a…']);
  });
});
