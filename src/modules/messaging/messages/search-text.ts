import { foldText, phraseWanted, wordsWanted, type SearchTerm } from '../../../core/search/index.js';

// Parsing of search texts and ranking of messages. Pure functions.

// Each term costs an index lookup.
const MAX_TERMS = 32;
const PRECISION = 1_000_000;
const LETTER = /[\p{L}\p{N}]/u;
/** Another form of a word counts half of it. */
const OTHER_FORM = 0.5;

/**
 * The terms of a search text: words, in any of their forms, and phrases in double quotes, which count as they are written. A message must contain
 * all of them. The text has no operators; parts without a letter or digit are left out, and so are words that say little of scripts whose words
 * are not separated, if there are others.
 */
export function parseSearchText(text: string): SearchTerm[] {
  const parts = [...text.matchAll(/"([^"]*)"|[^\s"]+/g)].filter(([part]) => LETTER.test(part));
  const words = wordsWanted(parts.map(([part, quoted]) => (quoted === undefined ? part : '')).join(' '));
  const phrases = parts.flatMap(([, quoted]) => (quoted === undefined ? [] : phraseWanted(quoted)));
  const meant = words.filter(({ isStopWord, isUnspaced }) => !(isStopWord && isUnspaced));
  return [...meant, ...phrases].slice(0, MAX_TERMS);
}

/**
 * Relevance of a text, a whole number. It grows with the number of occurrences, for a shorter text, and when the terms occur in
 * sequence. It depends on the text only, so pages stay stable while other messages are stored or deleted.
 */
export function relevance(terms: readonly SearchTerm[], text: string): number {
  const folded = ` ${foldText(text).replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')} `;
  const found = terms.reduce((sum, term) => sum + Math.log1p(occurrencesOf(term, folded)), 0);
  const phraseBonus = terms.length > 1 && folded.includes(terms.map((term) => term.text).join(' ')) ? terms.length : 0;
  return Math.round((PRECISION * (found + phraseBonus)) / Math.log(16 + folded.length));
}

function occurrencesOf({ text, sequences: [sequence], isUnspaced }: SearchTerm, folded: string): number {
  if (isUnspaced) return occurrences(folded, text);
  const whole = occurrences(folded, ` ${text} `);
  const beginning = sequence?.isPrefix === true ? sequence.tokens.join(' ') : text;
  return whole + OTHER_FORM * (occurrences(folded, ` ${beginning}`) - whole);
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.trimEnd().length)) count += 1;
  return count;
}
