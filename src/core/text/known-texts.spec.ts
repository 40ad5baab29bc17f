import { describe, expect, it, jest } from '@jest/globals';
import { KnownTexts } from './known-texts.js';

describe('known texts', () => {
  const lengthOf = jest.fn((text: string) => text.length);

  it('are parsed once', () => {
    lengthOf.mockClear();
    const known = new KnownTexts<number>(100);
    expect([known.of('one', lengthOf), known.of('three', lengthOf), known.of('one', lengthOf)]).toEqual([3, 5, 3]);
    expect(lengthOf.mock.calls).toEqual([['one'], ['three']]);
  });

  it('are forgotten, oldest first, when there are too many characters', () => {
    lengthOf.mockClear();
    const known = new KnownTexts<number>(8);
    for (const text of ['one', 'two', 'four', 'two', 'one']) known.of(text, lengthOf);
    expect(lengthOf.mock.calls).toEqual([['one'], ['two'], ['four'], ['one']]);
    known.of('longer than all that are kept', lengthOf);
    known.of('longer than all that are kept', lengthOf);
    expect(lengthOf).toHaveBeenCalledTimes(6);
  });
});
