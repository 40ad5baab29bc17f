import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { characterCount, hasAtMost } from './characters.js';
import { cutText, endOfText, firstCharacters, shortened } from './cut-text.js';

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
    expect([shortened('one two', 7), shortened('one two', 5), shortened('a🌞b', 3), shortened('a🌞bc', 3)]).toEqual([
      'one two',
      'one…',
      'a🌞b',
      'a🌞…',
    ]);
  });

  it.each([
    ['👩‍🚀👩‍🚀', 5, '👩‍🚀'],
    ['🇩🇪🇫🇷', 3, '🇩🇪'],
    ['ae\u0301', 2, 'a'],
    ['नमस्ते', 4, 'नम'],
    ['👍🏽👍🏽', 3, '👍🏽'],
    ['a\r\nb', 2, 'a'],
    [`e${'\u0301'.repeat(200)}`, 100, `e${'\u0301'.repeat(99)}`],
    ['👩‍🚀', 2, '👩'],
    ['🌞🌞🌞', 2, '🌞🌞'],
    ['abc', 0, ''],
    ['abc', -1, ''],
  ])('where people see it, not within a flag, a family or a letter with accents: %j at %i', (text, max, beginning) => {
    expect(firstCharacters(text, max)).toBe(beginning);
  });
});

describe('characters', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['🌞a🌞', 3],
    ['❤️', 2],
    ['\ud83c', 1],
    ['\udf1e\ud83c', 2],
    ['\ud83c\ud83c\udf1e', 2],
  ])('are the code points of a text: %j', (text, count) => {
    expect([characterCount(text), hasAtMost(text, count), hasAtMost(text, count - 1)]).toEqual([count, true, false]);
  });

  it('are counted as an iteration does', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(characterCount(text)).toBe([...text].length)));
  });
});
