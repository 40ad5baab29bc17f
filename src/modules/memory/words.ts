const STOP_WORDS = new Set(
  (
    'about after again all also and any are because been before being but can could did does doing down for from further had has have ' +
    'having her here hers him his how into its itself just let like may me might more most much must my not now off once only other our ' +
    'out over own please same shall she should some such tell than that the their them then there these they this those through too ' +
    'under until very was were what when where which while who whom whose why will with would you your yours'
  ).split(' '),
);
const MOST_WORDS = 200;
// "allergy", "allergic" and "allergies" have this much in common, and so have words of many other languages.
const STEM = 6;

/** The words of a text that tell what it is about, cut to their beginnings; each once. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu)) {
    if (!STOP_WORDS.has(word)) words.add(word.slice(0, STEM));
    if (words.size === MOST_WORDS) break;
  }
  return [...words];
}

/** Which of the newest texts of one agent have which words. */
export class WordList {
  /** Number of each text, in the order in which they came. */
  private readonly numbers = new Map<string, number>();
  private readonly texts = new Map<number, { readonly id: string; readonly audience: string | null }>();
  private readonly places = new Map<string, number[]>();
  private next = 0;

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.texts.size;
  }

  /** True when so many texts have come and gone that a new list is smaller than this one. */
  get worn(): boolean {
    return this.next > this.capacity * 4;
  }

  add(id: string, audience: string | null, text: string): void {
    if (this.numbers.has(id)) return;
    const number = (this.next += 1);
    this.numbers.set(id, number);
    this.texts.set(number, { id, audience });
    for (const word of wordsOf(text)) {
      const places = this.places.get(word);
      if (places) places.push(number);
      else this.places.set(word, [number]);
    }
    const oldest = this.texts.get(number - this.capacity);
    if (!oldest) return;
    this.texts.delete(number - this.capacity);
    this.numbers.delete(oldest.id);
  }

  /** Ids of the texts that share the most, and the rarest, words with the query; the best first. */
  find(query: string, count: number, admits: (id: string, audience: string | null) => boolean): string[] {
    const scores = new Map<number, number>();
    for (const word of wordsOf(query)) {
      const places = (this.places.get(word) ?? []).filter((number) => this.texts.has(number));
      const weight = Math.log(1 + this.texts.size / places.length);
      for (const number of places) scores.set(number, (scores.get(number) ?? 0) + weight);
    }
    const ranked = [...scores].sort(([a, one], [b, other]) => other - one || b - a);
    const found: string[] = [];
    let enough = 0;
    for (const [number, score] of ranked) {
      if (score < enough || found.length === count) break;
      const text = this.texts.get(number);
      if (!text || !admits(text.id, text.audience)) continue;
      if (found.length === 0) enough = score / 2;
      found.push(text.id);
    }
    return found;
  }
}
