// Words that say nothing about what a question is about.
const STOP_WORDS = new Set(
  (
    'a an the this that these those and or but if of to in on at by for from with without into about as than then so not no yes ' +
    'i me my mine we us our you your yours he him his she her it its they them their there here who whom whose what which when where why how ' +
    'is are was were be been being am do does did done have has had can could will would shall should may might must ' +
    'any some all much many more most very just also please tell know let get got give want like need say time since'
  ).split(' '),
);

/** The words of a text that carry its meaning, without their commonest endings. */
export function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem));
}

function stem(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/(?:ings?|ers?|ed|es|s)$/, '').replace(/e$/, '');
}

/** How well texts share the words of a question; a word that many of the texts have counts less. */
export class WordOverlap {
  private readonly texts = new Map<string, Set<string>>();
  private readonly spread = new Map<string, number>();

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const words = contentWords(text);
      this.texts.set(text, words);
      for (const word of words) this.spread.set(word, (this.spread.get(word) ?? 0) + 1);
    }
  }

  /** The part of the question's content words that the text has: 0 to 1, 0 for a question without any. */
  share(question: ReadonlySet<string>, text: string): number {
    const words = this.texts.get(text) ?? contentWords(text);
    let shared = 0;
    let total = 0;
    for (const word of question) {
      const weight = 1 / (1 + Math.log2(this.spread.get(word) ?? 1));
      total += weight;
      if (words.has(word)) shared += weight;
    }
    return total === 0 ? 0 : shared / total;
  }
}

/** How many words two texts share, of all they have together: 0 to 1. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
