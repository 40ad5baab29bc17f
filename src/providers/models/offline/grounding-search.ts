import { Pace } from '../../../core/clock/index.js';
import { cutText } from '../../../core/text/index.js';
import type { Grounding } from '../chat-model.js';
import type { EmbedOptions } from '../embedding-model.js';
import { similarity } from '../text-chunks.js';
import { questionsAnsweredBy } from './question-variants.js';
import { VectorCache, type QuestionVectors } from './vector-cache.js';
import { contentWords, jaccardSimilarity, WordOverlap } from './words.js';

/** Bonus for a fact that contains all content words of the question. */
const WORDS_WEIGHT = 0.2;
/** How much higher the score of two questions must be than that of a question and a fact. */
const QUESTION_MARGIN = 0.3;
/** Maximum score by shared words; vectors reach 1. */
const WORDS_ONLY_FACTOR = 0.8;
const MAX_VARIED_LENGTH = 400;
/** Facts that are compared by meaning: each takes the encoder some milliseconds when it is new. Of more facts, those with the most shared words. */
const MAX_COMPARED = 300;
/** Characters of all of them: the encoder takes seconds for so many. */
const MAX_COMPARED_CHARACTERS = 30_000;
/** Characters of one of them that the encoder reads. */
const MAX_ENCODED = 1500;
/** Characters of facts that are read before other work can run. */
const CHARACTERS_PER_TURN = 50_000;
/** Facts that are scored before other work can run. */
const FACTS_PER_TURN = 2000;

export interface Candidate {
  /** The answer text. */
  readonly text: string;
  readonly score: number;
}

/** An example question of the character; `text` is its answer. */
export interface ExampleCandidate extends Candidate {
  readonly question: string;
}

/** Each list is sorted by score, best first. */
export interface SearchResult {
  readonly examples: readonly ExampleCandidate[];
  readonly facts: readonly Candidate[];
}

/** Scores a text against the question: as a fact that may answer it, or as a question that may mean the same. */
interface Scorer {
  scoreFact(text: string): number;
  scoreQuestion(text: string): number;
}

/** Searches a character's text: by meaning, with a bonus for shared words, or by words alone. */
export class GroundingSearch {
  /** @param cache compares by meaning; without it, by shared words */
  constructor(private readonly cache: VectorCache | undefined) {}

  /** @param options `caller` is the author of the question */
  async find(
    question: string,
    { facts: all, examples }: Grounding,
    options: EmbedOptions & { readonly signal: AbortSignal },
  ): Promise<SearchResult> {
    const words = contentWords(question);
    const overlap = await overlapOf(all);
    const facts = await nearest(words, all, overlap);
    const variants = new Map(facts.map((fact) => [fact, questionsAnsweredBy(cutText(fact, MAX_VARIED_LENGTH))]));
    const texts = [...examples.map((example) => example.question), ...facts, ...[...variants.values()].flat()];
    const near = scorer(words, overlap, await this.cache?.vectorsIfPossible(question, texts, options));
    const known = (fact: string): number => {
      const own = overlap.wordsOf(fact);
      const asked = (variants.get(fact) ?? []).filter((variant) => containsAll(contentWords(variant), own, words));
      return Math.max(near.scoreFact(fact), ...asked.map((variant) => near.scoreQuestion(variant) - QUESTION_MARGIN));
    };
    return {
      examples: byScore(
        examples.map(({ question: other, answer }) => ({ question: other, text: answer, score: near.scoreQuestion(other) })),
      ),
      facts: byScore(facts.map((fact) => ({ text: fact, score: known(fact) }))),
    };
  }
}

async function overlapOf(facts: readonly string[]): Promise<WordOverlap> {
  const overlap = new WordOverlap();
  const pace = new Pace(CHARACTERS_PER_TURN);
  for (const fact of facts) {
    overlap.add(fact);
    await pace.spend(fact.length);
  }
  return overlap;
}

/** The facts that are compared by meaning, in their order. */
async function nearest(words: ReadonlySet<string>, facts: readonly string[], overlap: WordOverlap): Promise<readonly string[]> {
  if (facts.length <= MAX_COMPARED && facts.reduce((sum, fact) => sum + encoded(fact), 0) <= MAX_COMPARED_CHARACTERS) return facts;
  const pace = new Pace(FACTS_PER_TURN);
  const scored: { fact: string; place: number; score: number }[] = [];
  for (const [place, fact] of facts.entries()) {
    scored.push({ fact, place, score: overlap.score(words, fact) });
    await pace.spend(1);
  }
  let left = MAX_COMPARED_CHARACTERS;
  const chosen = scored
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, MAX_COMPARED)
    .filter(({ fact }) => (left -= encoded(fact)) >= 0);
  return chosen.sort((a, b) => a.place - b.place).map(({ fact }) => fact);
}

function encoded(fact: string): number {
  return Math.min(fact.length, MAX_ENCODED);
}

function scorer(words: ReadonlySet<string>, overlap: WordOverlap, vectors: QuestionVectors | undefined): Scorer {
  if (vectors === undefined) {
    return {
      scoreFact: (text) => WORDS_ONLY_FACTOR * overlap.score(words, text),
      scoreQuestion: (text) => WORDS_ONLY_FACTOR * jaccardSimilarity(words, contentWords(text)),
    };
  }
  const scoreQuestion = (text: string): number => {
    const vector = vectors.texts.get(text);
    return vector === undefined ? 0 : similarity(vectors.question, vector);
  };
  return { scoreFact: (text) => scoreQuestion(text) + WORDS_WEIGHT * overlap.score(words, text), scoreQuestion };
}

function containsAll(variant: ReadonlySet<string>, fact: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  return [...words].every((word) => variant.has(word) || fact.has(word));
}

function byScore<T extends Candidate>(candidates: T[]): T[] {
  return candidates.sort((a, b) => b.score - a.score);
}
