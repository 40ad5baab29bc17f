import { Pace } from '../../../core/clock/index.js';
import { cutText } from '../../../core/text/index.js';

// Of BM25 (Robertson, Zaragoza 2009).
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** What a word counts that only begins like a word of the question: "deadlines" for "deadline". */
const INFLECTED = 0.7;
/** Shared letters, of which words of the same stem have so many, or as many as the shorter one has. */
const STEM_LENGTH = 6;
const SHORTEST_STEM = 4;
/** Letters by which an inflected word may be longer. */
const MAX_ENDING = 4;
const MAX_WORDS = 64;
/** Characters between two turns of the event loop. */
const CHARACTERS_PER_TURN = 100_000;
// Scripts without spaces between words: two characters count as a word.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const NAMED_PAGE = /(?:\bpages?|\bseiten?|\bp\.|\bs\.|第)\s*(\d{1,5})/giu;

/** A text that may answer a question. */
export interface ScoredText {
  readonly text: string;
  /** From 1; null for a text without pages. */
  readonly page: number | null;
}

/** How well each text matches a question by its words, 0 for not at all; a page that the question names matches best. */
export async function scoresOf(question: string, texts: readonly ScoredText[]): Promise<number[]> {
  const asked = [...new Set(wordsOf(question))].slice(0, MAX_WORDS);
  const pages = new Set([...question.matchAll(NAMED_PAGE)].map(([, page]) => Number(page)));
  const pace = new Pace(CHARACTERS_PER_TURN);
  const byBeginning = new Map<string, string[]>();
  for (const word of asked) byBeginning.set(beginningOf(word), [...(byBeginning.get(beginningOf(word)) ?? []), word]);
  const matches: { readonly length: number; readonly counts: ReadonlyMap<string, number> }[] = [];
  const holders = new Map<string, number>();
  let words = 0;
  for (const { text } of texts) {
    const own = wordsOf(text);
    const counts = new Map<string, number>();
    for (const word of own) {
      for (const wanted of byBeginning.get(beginningOf(word)) ?? []) {
        const weight = likeness(word, wanted);
        if (weight > 0) counts.set(wanted, (counts.get(wanted) ?? 0) + weight);
      }
    }
    for (const wanted of counts.keys()) holders.set(wanted, (holders.get(wanted) ?? 0) + 1);
    matches.push({ length: own.length, counts });
    words += own.length;
    await pace.spend(text.length);
  }
  const usual = words / Math.max(texts.length, 1);
  return matches.map(({ length, counts }, index) => {
    let score = pages.has(texts[index]?.page ?? NaN) ? 100 : 0;
    for (const [wanted, count] of counts) {
      const others = holders.get(wanted) ?? 0;
      const rarity = Math.log(1 + (texts.length - others + 0.5) / (others + 0.5));
      const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / usual);
      score += (rarity * count * (SATURATION + 1)) / (count + norm);
    }
    return score;
  });
}

/** The words of a text, in lower case; of scripts without spaces, each pair of characters. */
function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).flatMap((word) => {
    if (!UNSPACED.test(word)) return [word];
    const characters = [...word];
    return characters.length === 1 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}

function beginningOf(word: string): string {
  return cutText(word, SHORTEST_STEM - 1);
}

function likeness(word: string, wanted: string): number {
  if (word === wanted) return 1;
  const shorter = Math.min(word.length, wanted.length);
  const difference = Math.abs(word.length - wanted.length);
  if (shorter < SHORTEST_STEM) return word === `${wanted}s` || wanted === `${word}s` ? INFLECTED : 0;
  const shared = Math.min(STEM_LENGTH, shorter);
  return difference <= MAX_ENDING && cutText(word, shared) === cutText(wanted, shared) ? INFLECTED : 0;
}
