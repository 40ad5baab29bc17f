import { charactersWanted, wordsWanted, type SearchTerm } from '../../../core/search/index.js';
import { cutText } from '../../../core/text/index.js';

const MAX_QUERY = 4000;
// "allergy", "allergic" and "allergies" share six letters; words of many other languages behave alike.
const STEM_LENGTH = 6;
/** A shorter word says little, unless it is in a script whose letters say more. */
const MIN_LATIN = 3;
/** Weight of a rare term relative to a common one. */
const RARITY_SCALE = 1000;

/** A memory that contains a term. */
export interface TermMatch {
  readonly id: string;
  /** Higher is newer. */
  readonly recency: number;
}

/** The terms of a query, at most `limit`: the longest words, which are usually the rarest. */
export function parseTerms(query: string, limit: number): SearchTerm[] {
  const text = cutText(query, MAX_QUERY);
  const terms = new Map<string, SearchTerm>();
  const words = wordsWanted(text, STEM_LENGTH).sort((a, b) => b.length - a.length);
  // Single characters come last: they find what words miss.
  for (const { isStopWord, length, ...word } of [...words, ...charactersWanted(text)]) {
    const [sequence] = word.sequences;
    const key = sequence?.tokens.join(' ') ?? '';
    if (!isStopWord && length >= MIN_LATIN && !terms.has(key)) terms.set(key, word);
    if (terms.size === limit) break;
  }
  return [...terms.values()];
}

/**
 * Ids of the memories that share the most and the rarest terms with a query, best first; newer first among equals. Memories that
 * score less than half of the best are left out.
 *
 * @param matches for each term, the memories that contain it
 */
export function rankMatches(matches: readonly (readonly TermMatch[])[], count: number): string[] {
  const scores = new Map<string, { score: number; recency: number }>();
  for (const each of matches) {
    const weight = Math.log(1 + RARITY_SCALE / Math.max(each.length, 1));
    for (const { id, recency } of each) scores.set(id, { score: (scores.get(id)?.score ?? 0) + weight, recency });
  }
  const ranked = [...scores].sort(([, a], [, b]) => b.score - a.score || b.recency - a.recency);
  const minScore = (ranked[0]?.[1].score ?? 0) / 2;
  return ranked
    .filter(([, { score }]) => score >= minScore)
    .slice(0, count)
    .map(([id]) => id);
}

/** The stems of the words of a text that carry its meaning. */
export function contentWords(text: string): Set<string> {
  const words = wordsWanted(text, STEM_LENGTH).filter((word) => !word.isStopWord && (word.length >= MIN_LATIN || /\p{N}/u.test(word.text)));
  return new Set(words.map(({ sequences }) => sequences[0]?.tokens.join(' ') ?? ''));
}
