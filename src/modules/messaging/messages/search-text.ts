// Parsing of search texts and ranking of messages. Pure functions.

// Each part costs an index lookup.
const MAX_PARTS = 32;
const PRECISION = 1_000_000;

/**
 * The parts of a search text: words, and phrases in double quotes. A message must contain all of them. The text has no operators;
 * parts without a letter or digit are left out.
 */
export function parseSearchText(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|[^\s"]+/g)]
    .map(([whole, quoted]) => (quoted ?? whole).trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .slice(0, MAX_PARTS);
}

/**
 * Relevance of a text, a whole number. It grows with the number of occurrences, for a shorter text, and when the parts occur in
 * sequence. It depends on the text only, so pages stay stable while other messages are stored or deleted.
 */
export function relevance(parts: readonly string[], text: string): number {
  const folded = fold(text);
  const wanted = parts.map(fold);
  const found = wanted.reduce((sum, part) => sum + Math.log1p(occurrences(folded, part)), 0);
  const phraseBonus = wanted.length > 1 && folded.includes(wanted.join(' ')) ? wanted.length : 0;
  return Math.round((PRECISION * (found + phraseBonus)) / Math.log(16 + folded.length));
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** Lower case without accents, as in the index. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return /[^ -~\s]/.test(lower) ? lower.normalize('NFD').replaceAll(/\p{M}/gu, '') : lower;
}
