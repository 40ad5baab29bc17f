import { Pace } from '../../../core/clock/index.js';
import { cutText } from '../../../core/text/index.js';

/** Characters of a fact that the offline responder reads. */
const MAX_FACT = 20_000;
const CHARACTERS_PER_TURN = 50_000;

/** The paragraphs of texts as facts for the offline responder, one line each. */
export async function paragraphsOf(texts: readonly string[]): Promise<string[]> {
  const pace = new Pace(CHARACTERS_PER_TURN);
  const paragraphs: string[] = [];
  for (const text of texts) {
    for (const paragraph of text.split(/\n\s*\n/)) {
      const line = cutFact(paragraph).replace(/\s+/g, ' ').trim();
      if (line !== '') paragraphs.push(line);
    }
    await pace.spend(text.length);
  }
  return paragraphs;
}

/** A fact, cut to what the offline responder reads. */
export function cutFact(text: string): string {
  return cutText(text, MAX_FACT);
}
