import { cutText, sentencesIn } from '../../../core/text/index.js';

const MAX_PIECES = 48;
/** A shorter sentence of a conversation shares a piece with its neighbour, characters. */
const SHORT_SENTENCE = 20;

/** A part of a text that has a vector of its own. */
export interface TextPiece {
  /** 0, 1, 2, … in the text. */
  readonly number: number;
  readonly text: string;
  /** Offset in the text, characters. */
  readonly start: number;
}

export interface PieceLimits {
  /** A longer sentence is split between words. */
  readonly maxCharacters: number;
  /** Text beyond this number of pieces has no vector. */
  readonly maxPieces: number;
  /** Joins sentences until a piece is this long, characters: a sentence of a chat stands for itself, one of a document does not. */
  readonly joinUpTo: number;
}

/** @param pieceLength see `EmbeddingModel` */
export function pieceLimits(pieceLength: number, isDocument: boolean): PieceLimits {
  return { maxCharacters: pieceLength, maxPieces: MAX_PIECES, joinUpTo: isDocument ? pieceLength : SHORT_SENTENCE };
}

/** Splits a text into pieces, in order; none for a blank text. */
export function splitIntoPieces(text: string, { maxCharacters, maxPieces, joinUpTo }: PieceLimits): TextPiece[] {
  const pieces: { number: number; text: string; start: number }[] = [];
  // Only the part of the text that can be used is scanned.
  for (const { segment, index } of sentencesIn(cutText(text, maxPieces * maxCharacters * 2))) {
    for (const part of splitAtWords(segment, maxCharacters)) {
      const last = pieces.at(-1);
      if (last && last.text.length < joinUpTo && last.text.length + 1 + part.text.length <= maxCharacters) last.text += ` ${part.text}`;
      else pieces.push({ number: pieces.length, text: part.text, start: index + part.start });
    }
    if (pieces.length > maxPieces) break;
  }
  return pieces.slice(0, maxPieces);
}

export function sentencesOf(text: string): string[] {
  return Array.from(sentencesIn(text), ({ segment }) => segment.trim()).filter((sentence) => sentence !== '');
}

function splitAtWords(sentence: string, maxCharacters: number): Omit<TextPiece, 'number'>[] {
  const whole = sentence.trim();
  if (whole === '') return [];
  if (whole.length <= maxCharacters) return [{ text: whole.replace(/\s+/g, ' '), start: sentence.indexOf(whole) }];
  const parts: { text: string; start: number }[] = [];
  for (const { 0: word, index } of sentence.matchAll(new RegExp(`\\S{1,${maxCharacters}}`, 'gu'))) {
    const last = parts.at(-1);
    if (last && last.text.length + 1 + word.length <= maxCharacters) last.text += ` ${word}`;
    else parts.push({ text: word, start: index });
  }
  return parts;
}
