// What somebody looks for, and how well a message fits it. Pure.

// Nobody looks for more; each costs a look into the index.
const MOST_PARTS = 32;
const PRECISION = 1_000_000;

/**
 * The parts of a search text: its words, and what stands in double quotes as a whole. A message has to have all of them.
 * Nothing in the text is an operator, and what has no letter or digit is left out.
 */
export function searchParts(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|[^\s"]+/g)]
    .map(([whole, quoted]) => (quoted ?? whole).trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .slice(0, MOST_PARTS);
}

/**
 * A whole number that is higher the more often a text has the parts, the shorter it is, and when it has them one behind
 * the other. It follows from the text alone, so that a page keeps its place while other messages come and go.
 */
export function fitness(parts: readonly string[], text: string): number {
  const folded = fold(text);
  const wanted = parts.map(fold);
  const found = wanted.reduce((sum, part) => sum + Math.log1p(occurrences(folded, part)), 0);
  const inARow = wanted.length > 1 && folded.includes(wanted.join(' ')) ? wanted.length : 0;
  return Math.round((PRECISION * (found + inARow)) / Math.log(16 + folded.length));
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** In lower case and without accents, as the index has it. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return /[^ -~\s]/.test(lower) ? lower.normalize('NFD').replaceAll(/\p{M}/gu, '') : lower;
}
