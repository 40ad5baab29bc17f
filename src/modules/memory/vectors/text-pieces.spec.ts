import { describe, expect, it } from '@jest/globals';
import { splitIntoPieces } from './text-pieces.js';

const CHAT = { maxCharacters: 60, maxPieces: 8, joinUpTo: 20 };
const texts = (text: string, limits = CHAT): string[] => splitIntoPieces(text, limits).map((piece) => piece.text);

describe('the pieces of a text', () => {
  it('are its sentences, with short ones combined', () => {
    expect(texts('I went shopping in town today. My cat is called Otto. He is old. Bye.')).toEqual([
      'I went shopping in town today.',
      'My cat is called Otto.',
      'He is old. Bye.',
    ]);
    expect(texts('First line of the list\nsecond line of the list')).toEqual(['First line of the list', 'second line of the list']);
  });

  it('join sentences up to a length', () => {
    const sentence = 'Number one is here.';
    expect(texts(`${sentence} ${sentence} ${sentence} ${sentence}`, { ...CHAT, joinUpTo: 60 })).toEqual([
      `${sentence} ${sentence} ${sentence}`,
      sentence,
    ]);
  });

  it('have a limited length and know their position in the text', () => {
    const text = `  ${'seven'.repeat(30)} and ${'a word '.repeat(20)}`;
    const pieces = splitIntoPieces(text, CHAT);
    expect(pieces.length).toBeGreaterThan(3);
    for (const { text: piece, start } of pieces) {
      expect(piece.length).toBeLessThanOrEqual(60);
      expect(text.slice(start).startsWith(piece.split(' ')[0]!)).toBe(true);
    }
  });

  it('are limited in number for any text length', () => {
    expect(texts('One more sentence of this text. '.repeat(100_000))).toHaveLength(8);
    expect(texts('x'.repeat(1_000_000))).toHaveLength(8);
    expect(texts(' \n\t ')).toEqual([]);
  });
});
