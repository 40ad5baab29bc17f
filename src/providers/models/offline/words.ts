import { cutText } from '../../../core/text/index.js';
import { stemmer } from 'stemmer';

// Words that carry no meaning for the search.
const STOP_WORDS = new Set(
  (
    'a an the this that these those and or but if of to in on at by for from with without into about as than then so not no yes ' +
    'i me my mine we us our you your yours he him his she her it its they them their there here who whom whose what which when where why how ' +
    'is are was were be been being am do does did done have has had can could will would shall should may might must ' +
    'any some all much many more most very just also please tell know let get got give want like need say time since'
  ).split(' '),
);

/** The words of a text in lower case, without apostrophes: "Otto's" becomes "otto". */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}\p{N}_]+(?:'[\p{L}]+)?/gu) ?? []
  ).map((word) => word.replace(/'.*$/, ''));
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** The content words of a text, stemmed. */
export function contentWords(text: string): Set<string> {
  return new Set(
    wordsOf(text)
      .filter((word) => !STOP_WORDS.has(word))
      .map(stem),
  );
}

// The words of the guides are some 6,000.
const MAX_STEMS = 20_000;
const stems = new Map<string, string>();

/** The stem of a word in lower case: "cakes" and "cake" have the same. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = stemmer(word);
  if (stems.size >= MAX_STEMS) stems.clear();
  stems.set(word, found);
  return found;
}

// A text may be a whole document.
const MAX_READ_LENGTH = 4000;

/** Scores texts by the words they share with a question; words that occur in many texts count less. */
export class WordOverlap {
  private readonly texts = new Map<string, Set<string>>();
  private readonly documentFrequency = new Map<string, number>();

  /** Adds a text, by the words of its first 4000 characters. */
  add(text: string): void {
    const words = contentWords(cutText(text, MAX_READ_LENGTH));
    this.texts.set(text, words);
    for (const word of words) this.documentFrequency.set(word, (this.documentFrequency.get(word) ?? 0) + 1);
  }

  /** The words of a text that was added. */
  wordsOf(text: string): ReadonlySet<string> {
    return this.texts.get(text) ?? new Set();
  }

  /** The weighted share of the question's content words in the text, 0 to 1; 0 for a question without any. */
  score(question: ReadonlySet<string>, text: string): number {
    const words = this.wordsOf(text);
    let shared = 0;
    let total = 0;
    for (const word of question) {
      const weight = 1 / (1 + Math.log2(this.documentFrequency.get(word) ?? 1));
      total += weight;
      if (words.has(word)) shared += weight;
    }
    return total === 0 ? 0 : shared / total;
  }
}

/** The number of shared words divided by the number of all words, 0 to 1. */
export function jaccardSimilarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
