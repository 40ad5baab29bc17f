import { describe, expect, it } from '@jest/globals';
import { RepeatedTexts } from './repeated-texts.js';

describe('texts of queries', () => {
  it('count as repeated from their third use on', () => {
    const texts = new RepeatedTexts();
    expect(['a', 'b', 'a', 'a'].map((text) => texts.repeats(text))).toEqual([false, false, false, true]);
  });

  it('are forgotten after a thousand others, so that rare ones need no memory', () => {
    const texts = new RepeatedTexts();
    const uses = (text: string): boolean[] => [texts.repeats(text), texts.repeats(text)];
    uses('often');
    uses('rare');
    for (let index = 0; index < 999; index += 1) texts.repeats(`once ${index}`);
    expect(texts.repeats('rare')).toBe(true);
    expect(texts.repeats('often')).toBe(false);
  });
});
