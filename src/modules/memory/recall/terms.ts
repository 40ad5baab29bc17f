import { charactersWanted, termsIn, wordsWanted, type SearchTerm, type Wanted } from '../../../core/search/index.js';
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

/** A term of a query and the memories that contain it. */
export interface TermMatches {
  readonly term: SearchTerm;
  readonly matches: readonly TermMatch[];
}

/** The terms of a query, at most `limit`: the longest words, which are usually the rarest. */
export function parseTerms(query: string, limit: number): SearchTerm[] {
  const text = cutText(query, MAX_QUERY);
  const terms = new Map<string, SearchTerm>();
  const add = (words: readonly Wanted[]): void => {
    for (const { isStopWord, length, ...word } of words) {
      const key = word.sequences[0]?.tokens.join(' ') ?? '';
      if (!isStopWord && length >= MIN_LATIN && terms.size < limit && !terms.has(key)) terms.set(key, word);
    }
  };
  add(wordsWanted(text, STEM_LENGTH).sort((a, b) => b.length - a.length));
  // Most single characters of a sentence stand in any longer text.
  if (terms.size === 0) add(charactersWanted(text));
  return [...terms.values()];
}

/** Ids of the memories that share the most and the rarest terms with a query, best first; newer first among equals. */
export function rankMatches(found: readonly TermMatches[], count: number): string[] {
  const scores = new Map<string, { score: number; recency: number }>();
  for (const each of found) {
    for (const { id, recency } of each.matches) scores.set(id, { score: (scores.get(id)?.score ?? 0) + weightOf(each), recency });
  }
  const ranked = [...scores].sort(([, a], [, b]) => b.score - a.score || b.recency - a.recency);
  return ranked.slice(0, count).map(([id]) => id);
}

/**
 * Memories by the most and the rarest terms of a query in two sentences that follow each other, best first: a long text has some of the terms
 * somewhere. Those that score less than half of the best are left out.
 *
 * @param sentencesOf the sentences of a memory
 */
export function rankBySentences<Memory>(
  memories: readonly Memory[],
  found: readonly TermMatches[],
  sentencesOf: (memory: Memory) => readonly string[],
): Memory[] {
  const weights = new Map(found.map((each) => [each.term, weightOf(each)]));
  const terms = [...weights.keys()];
  const scored = memories.map((memory) => {
    const each = sentencesOf(memory).map((sentence) => termsIn(sentence, terms));
    const scores = each.map((own, index) =>
      [...new Set([...own, ...(each[index + 1] ?? [])])].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0),
    );
    return { memory, score: Math.max(0, ...scores) };
  });
  const ranked = scored.sort((a, b) => b.score - a.score);
  const minScore = (ranked[0]?.score ?? 0) / 2;
  return ranked.filter(({ score }) => score >= minScore).map(({ memory }) => memory);
}

function weightOf({ matches }: TermMatches): number {
  return Math.log(1 + RARITY_SCALE / Math.max(matches.length, 1));
}

/** The stems of the words of a text that carry its meaning. */
export function contentWords(text: string): Set<string> {
  const words = wordsWanted(text, STEM_LENGTH).filter((word) => !word.isStopWord && (word.length >= MIN_LATIN || /\p{N}/u.test(word.text)));
  return new Set(words.map(({ sequences }) => sequences[0]?.tokens.join(' ') ?? ''));
}
