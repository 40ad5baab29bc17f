import { cutText, KnownTexts, sentencesIn } from '../../../core/text/index.js';
import { pieceLimits, splitIntoPieces } from '../vectors/text-pieces.js';
import { informationOfSentence } from './questions.js';

/** Characters of a text that are read. */
const MAX_READ = 20_000;
/** A sentence that stands in so many messages, beside others, tells nothing: "Thanks a lot." */
const REPEATED = 3;
/** A longer sentence counts as several, characters. */
const LONGEST_SENTENCE = 200;
const MAX_KNOWN = 500_000;
// A conversation finds the same memories again and again.
let known = { pieceLength: 0, texts: new KnownTexts<readonly SentenceTold[]>(MAX_KNOWN) };

/** A sentence of a message. */
export interface SentenceTold {
  readonly text: string;
  /** Number of the piece that it begins in; see `splitIntoPieces`. */
  readonly piece: number;
  /** See `informationOfSentence`. */
  readonly information: number;
  /** Equal for sentences that differ only in case, punctuation and spaces. */
  readonly key: string;
}

/** The sentences of a message; its pieces are those of a model with this `pieceLength`. */
export function sentencesTold(text: string, pieceLength: number): readonly SentenceTold[] {
  if (known.pieceLength !== pieceLength) known = { pieceLength, texts: new KnownTexts(MAX_KNOWN) };
  return known.texts.of(text, (whole) => split(cutText(whole, MAX_READ), pieceLength));
}

function split(text: string, pieceLength: number): SentenceTold[] {
  const pieces = splitIntoPieces(text, pieceLimits(pieceLength, false));
  let piece = 0;
  return Array.from(sentencesIn(text)).flatMap(({ segment, index }) => {
    while ((pieces[piece + 1]?.start ?? Infinity) <= index) piece += 1;
    const first = piece;
    const parts = splitIntoPieces(segment, { maxCharacters: LONGEST_SENTENCE, maxPieces: Infinity, joinUpTo: 0 });
    return parts.map(({ text: part, start }) => {
      let own = first;
      while ((pieces[own + 1]?.start ?? Infinity) <= index + start) own += 1;
      return { text: part, piece: own, information: informationOfSentence(part), key: keyOf(part) };
    });
  });
}

/** Keys of sentences that several of these messages have beside other sentences. */
export function repeatedSentences(texts: Iterable<string>, pieceLength: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const sentences = sentencesTold(text, pieceLength);
    if (sentences.length === 1) continue;
    for (const key of new Set(sentences.map((sentence) => sentence.key))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Set([...counts].flatMap(([key, count]) => (count >= REPEATED ? [key] : [])));
}

function keyOf(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
