import { describe, expect, it } from '@jest/globals';
import { embedInChunks, splitIntoChunks as cut, truncateQuestion, similarity } from './text-chunks.js';

const LIMITS = { maxWords: 100, maxCharacters: 1000, maxChunks: 32 };
const piecesOf = (text: string): string[] => cut(text, LIMITS);

describe('piecesOf', () => {
  it('returns a short text without doubled spaces', () => {
    expect(piecesOf('  one\n two ')).toEqual(['one two']);
  });

  it.each(['', '   ', '\n\t '])('returns no piece for the blank text %j', (text) => {
    expect(piecesOf(text)).toEqual([]);
  });

  it('cuts after 100 words', () => {
    const pieces = piecesOf(Array.from({ length: 250 }, (_, i) => `w${i}`).join(' '));
    expect(pieces.map((piece) => piece.split(' ').length)).toEqual([100, 100, 50]);
    expect(pieces[1]?.startsWith('w100 ')).toBe(true);
  });

  it('keeps pieces short when a text has no spaces', () => {
    const pieces = piecesOf('x'.repeat(5_000_000));
    expect(pieces).toHaveLength(32);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1000);
  });

  it('stops after 32 pieces', () => {
    expect(piecesOf('word '.repeat(10_000))).toHaveLength(32);
  });
});

describe('questionOf', () => {
  it('leaves a short question unchanged', () => {
    expect(truncateQuestion('  who? \n', 4)).toBe('who?');
  });

  it('keeps the beginning and the end of a longer one', () => {
    const question = truncateQuestion(`Please read this. ${'blah '.repeat(1000)} What is it about?`, 101);
    expect(question).toHaveLength(101);
    expect(question).toMatch(/^Please read this\. .* What is it about\?$/);
  });
});

describe('embedByPieces', () => {
  it('calls the engine once for all texts, and never for blank ones', async () => {
    const asked: string[][] = [];
    const engine = (pieces: string[]): Promise<Float32Array[]> => {
      asked.push(pieces);
      return Promise.resolve(pieces.map(() => Float32Array.of(3, 4)));
    };
    const vectors = await embedInChunks(['a', ' ', 'b'], LIMITS, engine, () => 2);
    expect(asked).toEqual([['a', 'b']]);
    expect(vectors).toEqual([Float32Array.of(0.6, 0.8), Float32Array.of(0, 0), Float32Array.of(0.6, 0.8)]);
    await embedInChunks([' '], LIMITS, engine, () => 2);
    expect(asked).toHaveLength(1);
  });
});

describe('similarity', () => {
  it('is 1 for the same direction and 0 for a zero vector', () => {
    const vector = Float32Array.of(0.6, 0.8);
    expect(similarity(vector, vector)).toBeCloseTo(1);
    expect(similarity(vector, Float32Array.of(0, 0))).toBe(0);
  });
});
