const STOP_WORDS = new Set(
  (
    'about after again all also and any are because been before being but can could did does doing down for from further had has have ' +
    'having her here hers him his how into its itself just let like may me might me more most much must my not now off once only other our ' +
    'out over own please same shall she should some such tell than that the their them then there these they this those through too ' +
    'under until very was were what when where which while who whom whose why will with would you your yours'
  ).split(' '),
);
const MOST_WORDS = 200;
// "allergy", "allergic" and "allergies" have this much in common, and so have words of many other languages.
const STEM = 6;
/** What a word is worth that hardly any memory has, against one that very many have. */
const RARE = 1000;

/** A word to look for: memories that have one of the forms, or words that begin with `stem`. */
export type Term = { readonly stem: string } | { readonly forms: readonly string[] };

/** A memory that has a word. */
export interface Holder {
  readonly id: string;
  /** The higher, the newer. */
  readonly age: number;
}

/** What a query looks for, at most `most` words: the longest, which are the rarest as a rule. */
export function termsOf(query: string, most: number): Term[] {
  const words = new Set<string>();
  for (const [word] of query.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu)) {
    if (!STOP_WORDS.has(word)) words.add(word.length < STEM ? word.replace(/(?<=..)s$/, '') : word);
    if (words.size === MOST_WORDS) break;
  }
  const longest = [...words].sort((a, b) => b.length - a.length);
  const kept = new Map(longest.map((word) => [word.slice(0, STEM), word]));
  return [...kept].slice(0, most).map(([stem, word]) => (word.length < STEM ? { forms: [word, `${word}s`] } : { stem }));
}

/**
 * Ids of the memories that share the most, and the rarest, words with a query; the best first, the newer of equals first. What is
 * less than half as good as the best is left out.
 *
 * @param holders for each word of the query, those that have it
 */
export function best(holders: readonly (readonly Holder[])[], count: number): string[] {
  const scores = new Map<string, { score: number; age: number }>();
  for (const each of holders) {
    const weight = Math.log(1 + RARE / Math.max(each.length, 1));
    for (const { id, age } of each) scores.set(id, { score: (scores.get(id)?.score ?? 0) + weight, age });
  }
  const ranked = [...scores].sort(([, a], [, b]) => b.score - a.score || b.age - a.age);
  const enough = (ranked[0]?.[1].score ?? 0) / 2;
  return ranked
    .filter(([, { score }]) => score >= enough)
    .slice(0, count)
    .map(([id]) => id);
}
