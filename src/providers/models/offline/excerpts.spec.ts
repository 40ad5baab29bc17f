import { describe, expect, it } from '@jest/globals';
import { excerpt } from './excerpts.js';

const FILLER = Array.from({ length: 12 }, (_, index) => `Paragraph ${index} is about the weather of the coast and says nothing else.`);

describe('an excerpt', () => {
  it('is the whole of a short text', () => {
    expect(excerpt('Where?', 'We open at nine. We close at six.')).toBe('We open at nine. We close at six.');
  });

  it('contains the sentences of a long text that share the most words with the question', () => {
    const text = [...FILLER, 'Every kettle has a warranty of three years.', 'Keep the receipt.', ...FILLER].join(' ');
    const answer = excerpt('How long is the warranty of a kettle?', text);
    expect(answer).toMatch(/^Every kettle has a warranty of three years\. Keep the receipt\./);
    expect(answer.length).toBeLessThanOrEqual(500);
  });

  it('is the beginning of a long sentence, up to a complete word', () => {
    expect(excerpt('What grows?', `Grass ${'grows and '.repeat(100)}withers.`)).toMatch(/^Grass .* (?:grows|and) …$/);
  });
});
