import { containsTerm, type SearchTerm } from '../../../core/search/index.js';
import { TELLS_LEAST, refersBack } from './questions.js';
import type { RecalledMemory } from './recall-result.js';
import { sentencesTold, type SentenceTold } from './sentences-told.js';

/** A longer text is shown as its matching sentences, characters. */
const MAX_WHOLE = 160;
const MAX_PARTS = 160;

/**
 * What a memory tells: its sentences without questions, greetings and what several messages repeat; of a long text the sentences that match, in
 * their order.
 *
 * @param repeated see `repeatedSentences`
 */
export function excerptOf(
  { text, pieces: near }: Pick<RecalledMemory, 'text' | 'pieces'>,
  { terms, pieceLength }: { readonly terms: readonly SearchTerm[]; readonly pieceLength: number },
  repeated: ReadonlySet<string>,
): string {
  const all = sentencesTold(text, pieceLength);
  const telling = all.filter(({ information, key }) => information > TELLS_LEAST && !repeated.has(key));
  const told = telling.length === 0 ? all : telling;
  if (lengthOf(told) <= MAX_WHOLE) return told.map((sentence) => sentence.text).join(' ');
  const matches = (sentence: SentenceTold): number =>
    near.length === 0
      ? terms.filter((term) => containsTerm(sentence.text, term)).length
      : near.length - (near.includes(sentence.piece) ? near.indexOf(sentence.piece) : near.length);
  return best(told, matches)
    .map(({ sentence, follows }) => (follows ? sentence.text : `… ${sentence.text}`))
    .join(' ');
}

/** The sentences that match most, in their order. What refers back is shown with what it refers to. */
function best(told: readonly SentenceTold[], matches: (sentence: SentenceTold) => number): { sentence: SentenceTold; follows: boolean }[] {
  const ranked = told
    .map((sentence, place) => ({ sentence, place, score: matches(sentence) }))
    .sort((a, b) => b.score - a.score || a.place - b.place);
  const chosen = new Set<number>();
  let length = 0;
  for (const { sentence, place, score } of ranked) {
    const before = told[place - 1];
    const places = before && refersBack(sentence.text) ? [place - 1, place] : [place];
    const added = lengthOf(places.flatMap((each) => (chosen.has(each) ? [] : (told[each] ?? []))));
    if (length > 0 && (score === 0 || length + added > MAX_PARTS)) break;
    for (const each of places) chosen.add(each);
    length += added;
  }
  return [...chosen]
    .sort((a, b) => a - b)
    .flatMap((place, index, places) => {
      const sentence = told[place];
      return sentence ? [{ sentence, follows: index === 0 || places[index - 1] === place - 1 }] : [];
    });
}

function lengthOf(sentences: readonly SentenceTold[]): number {
  return sentences.reduce((sum, { text }) => sum + text.length, 0);
}
