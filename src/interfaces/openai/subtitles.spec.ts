import { expect, it } from '@jest/globals';
import { srtOf, vttOf, type TimedText } from './subtitles.js';

const part = (text: string, startSeconds: number, endSeconds: number): TimedText => ({ text, startSeconds, endSeconds });

it('joins words to lines, up to a pause or the end of the line', () => {
  const words = [part('good', 0.2, 0.5), part('morning', 0.5, 1), part('how', 2, 2.2), part('a'.repeat(40), 2.2, 3)];
  expect(vttOf(words)).toBe(
    `WEBVTT\n\n00:00:00.200 --> 00:00:01.000\ngood morning\n\n00:00:02.000 --> 00:00:02.200\nhow\n\n` +
      `00:00:02.200 --> 00:00:03.000\n${'a'.repeat(40)}\n\n`,
  );
});

it('has hours, and text that ends no subtitle', () => {
  expect(srtOf([part(' one\n\ntwo --> three ', 3661.0015, 86_400)])).toBe('1\n01:01:01,002 --> 24:00:00,000\none two -> three\n\n');
});

it('is empty for silence', () => {
  expect([srtOf([]), vttOf([])]).toEqual(['', 'WEBVTT\n\n']);
});
