import { describe, expect, it, jest } from '@jest/globals';
import { sentencesIn } from './sentences.js';

const segments = (text: string): string[] => [...sentencesIn(text)].map(({ segment }) => segment);
const whole = (text: string): string[] =>
  [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)].map(({ segment }) => segment);

describe('sentences', () => {
  it.each<[string, string]>([
    ['none', ''],
    ['one', 'Only one'],
    ['many, some of which are questions', 'Is it? It is! E.g. this one (no. 3) ends. '.repeat(200)],
    ['lines and paragraphs', 'A line\nand another.\r\n\r\nThe end. '.repeat(150)],
    ['one that is longer than a window, among short ones', `Short. ${'word '.repeat(2000)}end. Short again. `.repeat(3)],
    ['none that end', '茶'.repeat(5000)],
    ['surrogate pairs', '𝒜 sentence 🫖. '.repeat(300)],
  ])('equal those of the whole text: %s', (_words, text) => {
    expect(segments(text)).toEqual(whole(text));
    for (const { segment, index } of sentencesIn(text)) expect(text.startsWith(segment, index)).toBe(true);
  });

  it('are found without reading the whole text each time', () => {
    let read = 0;
    const { segment } = Intl.Segmenter.prototype;
    const spy = jest.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (this: Intl.Segmenter, text: string) {
      const all = [...segment.call(this, text)];
      read += all.length * text.length;
      return all as unknown as Intl.Segments;
    });
    const text = 'A. '.repeat(33_000);
    expect(segments(text)).toHaveLength(33_000);
    // The windows overlap a little, and each segment has a copy of its window.
    expect(read).toBeLessThan(33_000 * 1000 * 1.2);
    spy.mockRestore();
  });
});
