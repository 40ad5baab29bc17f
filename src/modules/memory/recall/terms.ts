import { cutText } from '../../../core/text/index.js';

const STOP_WORDS = new Set(
  (
    'about after again all also and any are because been before being but can could did does doing down for from further had has have ' +
    'having her here hers him his how into its itself just let like may me might me more most much must my not now off once only other our ' +
    'out over own please same shall she should some such tell than that the their them then there these they this those through too ' +
    'under until very was were what when where which while who whom whose why will with would you your yours'
  ).split(' '),
);
const MAX_WORDS = 200;
// "allergy", "allergic" and "allergies" share six letters; words of many other languages behave alike.
const STEM_LENGTH = 6;
/** Weight of a rare term relative to a common one. */
const RARITY_SCALE = 1000;

/** A search term: matches any of `forms`, or words that begin with `stem`. */
export type Term = { readonly stem: string } | { readonly forms: readonly string[] };

/** A memory that contains a term. */
export interface TermMatch {
  readonly id: string;
  /** Higher is newer. */
  readonly recency: number;
}

/** The terms of a query, at most `limit`: the longest words, which are usually the rarest. */
export function parseTerms(query: string, limit: number): Term[] {
  const words = new Set<string>();
  for (const [word] of query.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu)) {
    if (!STOP_WORDS.has(word)) words.add(word.length < STEM_LENGTH ? word.replace(/(?<=..)s$/, '') : word);
    if (words.size === MAX_WORDS) break;
  }
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const wordsByStem = new Map(longestFirst.map((word) => [cutText(word, STEM_LENGTH), word]));
  return [...wordsByStem].slice(0, limit).map(([stem, word]) => (word.length < STEM_LENGTH ? { forms: [word, `${word}s`] } : { stem }));
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

/** Whether a text contains a term. */
export function matchesTerm(text: string, term: Term): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word) => ('stem' in term ? word.startsWith(term.stem) : term.forms.includes(word)));
}

/** The stems of the words of a text that carry its meaning. */
export function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{N}+|\p{L}{3,}/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map((word) => cutText(word, STEM_LENGTH)));
}
