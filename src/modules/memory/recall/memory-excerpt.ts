import { termsIn, type SearchTerm } from '../../../core/search/index.js';
import { OF_THE_AUTHOR, TELLS_LEAST, refersBack } from './questions.js';
import type { RecalledMemory } from './recall-result.js';
import { sentencesTold, type SentenceTold } from './sentences-told.js';

/** A longer text is shown as its matching sentences, tokens. */
const MAX_WHOLE = 40;
const MAX_PARTS = 40;

export interface ExcerptOptions {
  /** Terms of the query. */
  readonly terms: readonly SearchTerm[];
  /** That of the model that `pieces` refer to, see `EmbeddingModel`. */
  readonly pieceLength: number;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
}

/**
 * What a memory tells: its sentences without questions, greetings and what several messages repeat; of a long text the sentences that match, in
 * their order.
 *
 * @param repeated see `repeatedSentences`
 */
export function excerptOf(
  { text, pieces: near }: Pick<RecalledMemory, 'text' | 'pieces'>,
  { terms, pieceLength, count }: ExcerptOptions,
  repeated: ReadonlySet<string>,
): string {
  const all = sentencesTold(text, pieceLength);
  const telling = all.filter(({ information, key }) => information > TELLS_LEAST && !repeated.has(key));
  const told = telling.length === 0 ? all : telling;
  const tokensOf = (sentences: readonly SentenceTold[]): number => sentences.reduce((sum, sentence) => sum + count(sentence.text), 0);
  if (tokensOf(told) <= MAX_WHOLE) return told.map((sentence) => sentence.text).join(' ');
  const matches = (sentence: SentenceTold): number =>
    near.length === 0
      ? termsIn(sentence.text, terms).length
      : near.length - (near.includes(sentence.piece) ? near.indexOf(sentence.piece) : near.length);
  // The search by meaning knows which sentences matter.
  return best(told, matches, tokensOf, near.length === 0 ? OF_THE_AUTHOR : Infinity)
    .map(({ sentence, follows }) => (follows ? sentence.text : `… ${sentence.text}`))
    .join(' ');
}

/** The sentences that match most, and what the author says of himself or herself, in their order. What refers back is shown with what it refers to. */
function best(
  told: readonly SentenceTold[],
  matches: (sentence: SentenceTold) => number,
  tokensOf: (sentences: readonly SentenceTold[]) => number,
  informationWithoutMatch: number,
): { sentence: SentenceTold; follows: boolean }[] {
  const ranked = told
    .map((sentence, place) => ({ sentence, place, score: matches(sentence) }))
    .sort((a, b) => b.score - a.score || b.sentence.information - a.sentence.information || a.place - b.place);
  const chosen = new Set<number>();
  let tokens = 0;
  for (const { sentence, place, score } of ranked) {
    const before = told[place - 1];
    const places = before && refersBack(sentence.text) ? [place - 1, place] : [place];
    const added = tokensOf(places.flatMap((each) => (chosen.has(each) ? [] : (told[each] ?? []))));
    const saysNothing = score === 0 && sentence.information < informationWithoutMatch;
    if (tokens > 0 && (saysNothing || tokens + added > MAX_PARTS)) break;
    for (const each of places) chosen.add(each);
    tokens += added;
  }
  return [...chosen]
    .sort((a, b) => a - b)
    .flatMap((place, index, places) => {
      const sentence = told[place];
      return sentence ? [{ sentence, follows: index === 0 || places[index - 1] === place - 1 }] : [];
    });
}
