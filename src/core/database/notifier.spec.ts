import { expect, it } from '@jest/globals';
import { ANYTHING, hintOf, readHint, writeHint } from './notifier.js';

it('a hint has the same content after a round trip', () => {
  for (const hint of [hintOf('11111111-0000-4000-8000-00000000000A', false), hintOf(null, true)]) {
    for (const offset of [1, 35, 36, 2 ** 53 - 1]) expect(readHint(writeHint(hint, offset))).toEqual({ hint, offset });
  }
});

it('a hint without an offset marks every entry as possibly new', () => {
  expect([readHint('0000000a'), readHint(ANYTHING)].map(({ offset }) => offset)).toEqual([Infinity, Infinity]);
});
